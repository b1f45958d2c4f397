"""Figures are classed by what their captions name and their pictures can be."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from corpus.sources.imagery import GENERAL, Imaging, imaging_of


def picture(colour: tuple[int, int, int]) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (200, 150), colour).save(out, "PNG")
    return out.getvalue()


GREY, PINK, WHITE = picture((60, 60, 60)), picture((210, 130, 180)), picture((255, 255, 255))


@pytest.mark.parametrize(
    "caption",
    [
        "Axial CT of the abdomen with a mass in the left kidney.",
        "T2-weighted image of the knee.",
        "Chest radiograph on admission.",
        "Brain MRI before and after treatment.",
        "FDG-PET/CT shows uptake in two nodes.",
        "Ultrasonography of the thyroid.",
        "Contrast-enhanced CT, portal phase.",
    ],
)
def test_radiological_images(caption):
    assert imaging_of(caption, image=GREY) == Imaging("radiology", 0.9)
    assert imaging_of(caption) == Imaging("radiology", 0.7)


@pytest.mark.parametrize(
    "caption",
    [
        "Liver, hematoxylin and eosin, ×400.",
        "H&E staining of the tumour.",
        "Immunohistochemistry for Ki-67.",
        "Photomicrographs of ventricular tissue stained for a protein.",
        "Masson's trichrome of the heart.",
        "Histopathology of the lesion.",
    ],
)
def test_pathological_images(caption):
    assert imaging_of(caption, image=PINK) == Imaging("pathology", 0.9)


@pytest.mark.parametrize(
    "caption",
    [
        "",
        "Forest plot of the recessive model (TT + CT vs. CC).",
        "Ct values of the qPCR.",
        "Kaplan-Meier curves of patients with an MRI at baseline.",
        "X-ray diffraction pattern of the powder.",
        "Flow chart of the histology review.",
        "CT (a) and histology (b): chest CT and H&E.",
        "A cat and its pet.",
        "Western blot and immunohistochemistry.",
    ],
)
def test_whatever_is_unsure_is_general(caption):
    assert imaging_of(caption, image=GREY) == GENERAL == Imaging("general", 0.5)


def test_a_drawing_on_white_is_none_whatever_it_speaks_of():
    assert imaging_of("Chest radiograph", image=WHITE) == GENERAL


def test_a_panel_goes_by_its_own_words_before_those_of_its_figure():
    whole = "Chest radiograph and biopsy specimen"
    assert imaging_of("(b) H&E", whole, image=PINK).kind == "pathology"
    assert imaging_of("(a)", "Chest radiograph", image=GREY).kind == "radiology"
    assert imaging_of("(c) survival curves by MRI", "Brain MRI", image=GREY).kind == "general"


def test_bytes_that_are_no_picture_change_nothing():
    assert imaging_of("Chest radiograph", image=b"%PDF-1.4") == Imaging("radiology", 0.7)
