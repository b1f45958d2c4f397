/* Comfort on top of pages that are complete without it: theme, citations, shortcuts, menus. */
(() => {
  "use strict";

  const root = document.documentElement;
  const $ = (selector, within = document) => within.querySelector(selector);
  const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];
  const wide = matchMedia("(min-width: 60.01rem)");
  const still = matchMedia("(prefers-reduced-motion: reduce)");

  /** Tell a screen reader once, through the page's only live region. */
  const say = (text) => {
    const region = $("#say");
    if (region && text) region.textContent = text;
  };

  // Theme: the form works by itself; here it only saves the reload.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("[data-theme-form]")) return;
    event.preventDefault();
    const dark = root.dataset.theme === "dark"
      || (root.dataset.theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
    const theme = dark ? "light" : "dark";
    root.dataset.theme = theme;
    const body = new FormData(form);
    body.set("theme", theme);
    fetch(form.action, { method: "POST", body, redirect: "manual" }).catch(() => {});
  });

  // Citations: open the source, mark every chip with its number, leave the focus on the chip.
  const select = (hash) => {
    const body = document.getElementById(hash.slice(1));
    const source = body?.closest("details.evi");
    if (!source) return;
    source.open = true;
    for (const chip of $$("a.cite")) {
      if (chip.hash === hash) chip.setAttribute("aria-current", "true");
      else chip.removeAttribute("aria-current");
    }
    source.scrollIntoView({ block: "nearest", behavior: still.matches ? "auto" : "smooth" });
    say($(".ttl", source)?.textContent.trim());
  };
  document.addEventListener("click", (event) => {
    const chip = event.target.closest?.('a[href^="#ev-"]');
    if (!chip) return;
    if (wide.matches) {
      event.preventDefault(); // beside the text: no jump
      history.replaceState(null, "", chip.hash);
    }
    select(chip.hash);
  });
  const selectFromAddress = () => {
    if (location.hash.startsWith("#ev-")) select(location.hash);
  };
  addEventListener("hashchange", selectFromAddress);
  document.addEventListener("htmx:sseMessage", selectFromAddress); // a part was replaced
  selectFromAddress();

  // Copy buttons appear only where they can work.
  const offerCopies = () => {
    for (const button of $$("[data-copy]")) button.hidden = !navigator.clipboard;
  };
  offerCopies();
  document.addEventListener("htmx:sseMessage", offerCopies);
  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("[data-copy]");
    if (!button) return;
    const text = document.getElementById(button.dataset.copy)?.textContent ?? "";
    await navigator.clipboard.writeText(text.trim());
    sayCopied(button);
  });
  const sayCopied = (button) => {
    say("Copied");
    const label = $("[data-label]", button);
    if (!label) return;
    label.dataset.label ||= label.textContent;
    label.textContent = "Copied";
    setTimeout(() => { label.textContent = label.dataset.label; }, 2000);
  };
  // A link to a file of text copies it where that can work; elsewhere, and on any failure, it opens.
  document.addEventListener("click", async (event) => {
    const link = event.target.closest?.("a[data-copy-file]");
    if (!link || !navigator.clipboard || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    try {
      const answer = await fetch(link.href);
      if (!answer.ok || answer.redirected) throw new Error("no text");
      await navigator.clipboard.writeText(await answer.text());
      sayCopied(link);
    } catch {
      location.assign(link.href);
    }
  });

  // On a phone filters start closed; without this script they are open.
  if (matchMedia("(max-width: 45rem)").matches) {
    for (const filters of $$(".filters")) filters.open = false;
  }
  // A choice applies at once; what is typed applies with Enter or the button.
  for (const filters of $$("form[data-auto]")) {
    filters.addEventListener("change", (event) => {
      if (event.target.matches("select, [type=checkbox]")) filters.requestSubmit();
    });
  }

  // Shortcuts: off while typing, and switched off altogether in Account (WCAG 2.1.4).
  let pendingGo = 0;
  const step = (direction) => {
    const chips = $$("a.cite");
    if (!chips.length) return;
    const at = chips.indexOf(document.activeElement);
    const next = at < 0 && direction < 0 ? chips.length - 1 : (at + direction + chips.length) % chips.length;
    chips[next].focus();
    select(chips[next].hash);
  };
  const single = {
    "/": () => $(".find input")?.focus(),
    "?": () => $("#keys")?.showModal(),
    j: () => step(1),
    k: () => step(-1),
    n: () => $("[data-turn=next]")?.click(),
    p: () => $("[data-turn=previous]")?.click(),
  };
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
    if ((event.metaKey || event.ctrlKey) && event.key === "Enter") {
      if (typing) typing.form?.requestSubmit();
      return;
    }
    if (event.metaKey || event.ctrlKey || event.altKey || typing || root.dataset.keys === "off") return;
    const going = pendingGo && Date.now() - pendingGo < 1200;
    pendingGo = 0;
    if (going) {
      const target = $(`[data-go="${CSS.escape(event.key)}"]`);
      if (target) { location.href = target.href; return; }
    }
    if (event.key === "g") { pendingGo = Date.now(); return; }
    if (Object.hasOwn(single, event.key)) {
      event.preventDefault();
      single[event.key]();
    }
  });

  // Menus are <details>: Escape closes and returns the focus, a click elsewhere closes.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of $$(".menu[open]")) {
      menu.open = false;
      $("summary", menu).focus();
    }
  });
  document.addEventListener("click", (event) => {
    for (const menu of $$(".menu[open]")) if (!menu.contains(event.target)) menu.open = false;
  });
  const counted = (menu) => {
    const label = $("[data-count]", menu);
    if (!label) return;
    const n = $$("input:checked", menu).length;
    label.textContent = n === 0 ? "No corpus" : n === 1 ? "1 corpus" : `${n} corpora`;
  };
  document.addEventListener("change", (event) => {
    const menu = event.target.closest?.(".menu");
    if (menu) counted(menu);
  });

  // The error summary takes the focus, so that it is read first.
  $(".errsum")?.focus();
})();
