"""Sections of drug labels: LOINC codes and openFDA field names to one standard name each."""

from __future__ import annotations

from typing import Final

# LOINC code -> openFDA's field name. "SPL unclassified" (42229-5) is left out on purpose: such a
# section is known by its own title.
_CODES: Final = """
34086-9 abuse
60555-0 accessories
55106-9 active_ingredient
34084-4 adverse_reactions
34091-9 animal_pharmacology_and_or_toxicology
50569-3 ask_doctor
50568-5 ask_doctor_or_pharmacist
34066-1 boxed_warning
34083-6 carcinogenesis_and_mutagenesis_and_impairment_of_fertility
34090-1 clinical_pharmacology
34092-7 clinical_studies
34070-3 contraindications
34085-1 controlled_substance
34087-7 dependence
34089-3 description
50570-1 do_not_use
34068-7 dosage_and_administration
43678-2 dosage_forms_and_strengths
34074-5 drug_and_or_laboratory_test_interactions
42227-9 drug_abuse_and_dependence
34073-7 drug_interactions
50742-6 environmental_warning
50743-4 food_safety_warning
34072-9 general_precautions
34082-8 geriatric_use
71744-7 health_care_provider_letter
69719-3 health_claim
34069-5 how_supplied
51727-6 inactive_ingredient
34067-9 indications_and_usage
50744-2 information_for_owners_or_caregivers
34076-0 information_for_patients
59845-8 instructions_for_use
50565-1 keep_out_of_reach_of_children
34079-4 labor_and_delivery
34075-2 laboratory_tests
43679-0 mechanism_of_action
49489-8 microbiology
43680-8 nonclinical_toxicology
34078-6 nonteratogenic_effects
34080-2 nursing_mothers
77290-5 lactation
77291-3 females_and_males_of_reproductive_potential
88829-7 renal_impairment
88828-9 hepatic_impairment
90374-0 clinical_trials_experience
90375-7 postmarketing_experience
88436-1 patient_counseling_information
60561-8 other_safety_information
34088-5 overdosage
51945-4 package_label_principal_display_panel
68498-5 patient_medication_information
34081-0 pediatric_use
43681-6 pharmacodynamics
66106-6 pharmacogenomics
43682-4 pharmacokinetics
42232-9 precautions
42228-7 pregnancy
53414-9 pregnancy_or_breast_feeding
55105-1 purpose
53413-1 questions
43683-2 recent_major_changes
34093-5 references
53412-3 residue_warning
69759-9 risks
60562-6 route_method_and_frequency_of_administration
50741-8 safe_handling_warning
42231-1 spl_medguide
42230-3 spl_patient_package_insert
69718-5 statement_of_identity
50566-9 stop_use
44425-7 storage_and_handling
60563-4 summary_of_safety_and_effectiveness
34077-8 teratogenic_effects
43684-0 use_in_specific_populations
54433-8 user_safety_warnings
50745-9 veterinary_indications
43685-7 warnings_and_precautions
34071-1 warnings
50567-7 when_using
"""
_FIELDS: Final = dict(line.split() for line in _CODES.strip().splitlines())
LISTING: Final = "48780-1"  # product data
INDEXING: Final = "48779-3"  # substance data
_SMALL: Final = frozenset({"and", "or", "of", "in", "on", "for", "to", "with"})
_SPELLED: Final = {
    "spl_medguide": "Medication Guide",
    "spl_patient_package_insert": "Patient Package Insert",
    "spl_unclassified_section": "Unclassified",
    "boxed_warnings": "Boxed Warning",
    "warnings_and_cautions": "Warnings and Precautions",
    "package_label_principal_display_panel": "Package Label",
    "route_method_and_frequency_of_administration": "Route, Method and Frequency of Administration",
}


def section_name(code: str) -> str:
    """Standard name of a LOINC section code, '' for an unclassified or unknown one."""
    found = _FIELDS.get(code)
    return field_name(found) if found else ""


def field_name(key: str) -> str:
    """Standard name of an openFDA field: "indications_and_usage" is "Indications and Usage"."""
    if key in _SPELLED:
        return _SPELLED[key]
    words = key.split("_")
    return " ".join(word if word in _SMALL and place else word.capitalize()
                    for place, word in enumerate(words))  # fmt: skip
