/* Files dropped anywhere on a corpus page, sent in parts of bounded size: each part is one job.
   The form posts all files at once when this script does not run. */
(() => {
  "use strict";

  const MB = 2 ** 20;
  const PART_BYTES = 64 * MB;
  const PART_FILES = 50;

  const form = document.querySelector("form[data-upload]");
  if (!form) return;
  const input = form.querySelector("input[type=file]");
  const list = document.getElementById("sending");
  const region = document.getElementById("say");
  const limit = Number(form.dataset.maxBytes);
  const most = Number(form.dataset.maxFiles);
  let sending = 0;

  /** A line for one file; returns the function that says how it stands. */
  const line = (name) => {
    const item = document.createElement("li");
    const label = document.createElement("b");
    const state = document.createElement("span");
    label.textContent = name;
    state.className = "mut";
    item.append(label, " ", state);
    list.append(item);
    list.hidden = false;
    return (text) => { state.textContent = text; };
  };

  /** Files that may be sent, in parts; the others are told why not. */
  const inParts = (files) => {
    const parts = [[]];
    let bytes = 0;
    for (const [at, file] of files.entries()) {
      const tell = line(file.name);
      if (at >= most) {
        tell(`is left out: ${most} files at once is the limit`);
      } else if (file.size > limit) {
        tell(`is ${Math.ceil(file.size / MB)} MB; the limit is ${Math.floor(limit / MB)} MB`);
      } else {
        if (parts.at(-1).length && (bytes + file.size > PART_BYTES || parts.at(-1).length >= PART_FILES)) {
          parts.push([]);
          bytes = 0;
        }
        parts.at(-1).push({ file, tell });
        bytes += file.size;
      }
    }
    return parts.filter((part) => part.length);
  };

  /** Send one part; the reply is JSON: `jobs`, `refused` (a sentence by name), or `error`. */
  const send = async (part) => {
    const body = new FormData(form);
    body.delete(input.name);
    for (const { file, tell } of part) {
      body.append(input.name, file, file.name);
      tell("is being sent…");
    }
    let said = "could not be sent; try again";
    let refused = {};
    try {
      const headers = { Accept: "application/json" };
      const reply = await fetch(form.action, { method: "POST", body, headers });
      const answer = await reply.json();
      said = reply.ok ? "was received" : answer.error || said;
      refused = answer.refused ?? refused;
    } catch { /* the connection or the reply broke: said stays */ }
    for (const { file, tell } of part) {
      tell(Object.hasOwn(refused, file.name) ? `was left out: ${refused[file.name]}` : said);
    }
    document.body.dispatchEvent(new CustomEvent("flux:uploaded"));
  };

  const upload = async (files) => {
    list.replaceChildren();
    sending += 1;
    try {
      for (const part of inParts(files)) await send(part);
    } finally {
      sending -= 1;
    }
    if (region) region.textContent = "Sending is over; see the list of files.";
  };

  form.addEventListener("submit", (event) => {
    if (!input.files.length) return;
    event.preventDefault();
    upload([...input.files]);
    input.value = "";
  });

  const holdsFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  const mark = (on) => {
    document.body.classList.toggle("dragging", on);
    form.classList.toggle("over", on);
  };
  let depth = 0; // dragenter and dragleave come for every element that is passed
  document.addEventListener("dragenter", (event) => {
    if (!holdsFiles(event)) return;
    depth += 1;
    mark(true);
  });
  document.addEventListener("dragleave", () => {
    depth = Math.max(0, depth - 1);
    if (!depth) mark(false);
  });
  document.addEventListener("dragover", (event) => { if (holdsFiles(event)) event.preventDefault(); });
  document.addEventListener("drop", (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    depth = 0;
    mark(false);
    upload([...event.dataTransfer.files]);
  });

  // Leaving is asked about only while bytes are under way.
  addEventListener("beforeunload", (event) => { if (sending) event.preventDefault(); });
})();
