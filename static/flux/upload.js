/* Files dropped anywhere on a corpus page: each is its own request, three at a time.
   The form posts all files at once when this script does not run. */
(() => {
  "use strict";

  const AT_ONCE = 3;
  const form = document.querySelector("form[data-upload]");
  if (!form) return;
  const input = form.querySelector("input[type=file]");
  const list = document.getElementById("sending");
  const region = document.getElementById("say");
  const limit = Number(form.dataset.maxBytes);
  const most = Number(form.dataset.maxFiles);
  let sending = 0;

  const row = (name) => {
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

  /** Send one file; the reply is JSON `{job}` or `{error}` with a sentence. */
  const send = async (file, job, tell) => {
    const body = new FormData(form);
    body.delete(input.name);
    body.append(input.name, file, file.name);
    if (job) body.set("job", job);
    const reply = await fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" } });
    const answer = await reply.json().catch(() => ({}));
    tell(reply.ok ? "received" : answer.error || "could not be sent; try again");
    return answer.job;
  };

  const accept = (files) => {
    const chosen = files.slice(0, most);
    const tooMany = files.length - chosen.length;
    const good = [];
    for (const file of chosen) {
      const tell = row(file.name);
      if (file.size > limit) tell(`is ${Math.ceil(file.size / 1e6)} MB; the limit is ${Math.floor(limit / 1e6)} MB`);
      else good.push([file, tell]);
    }
    if (tooMany > 0) row(`${tooMany} more files`)(`left out: ${most} at once is the limit`);
    return good;
  };

  const upload = async (files) => {
    const queue = accept(files);
    if (!queue.length) return;
    sending += queue.length;
    let job = "";
    const work = async () => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const [file, tell] = next;
        tell("sending…");
        try {
          job = (await send(file, job, tell)) || job;
        } catch {
          tell("could not be sent; try again");
        }
        sending -= 1;
      }
    };
    const [first, tell] = queue.shift(); // the first reply names the job that the others join
    tell("sending…");
    try { job = (await send(first, "", tell)) || ""; } catch { tell("could not be sent; try again"); }
    sending -= 1;
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    if (region) region.textContent = "All files were sent.";
    document.body.dispatchEvent(new CustomEvent("flux:uploaded", { bubbles: true }));
  };

  form.addEventListener("submit", (event) => {
    if (!input.files.length) return;
    event.preventDefault();
    upload([...input.files]);
    input.value = "";
  });
  const holdsFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  let depth = 0;
  document.addEventListener("dragenter", (event) => {
    if (!holdsFiles(event)) return;
    depth += 1;
    document.body.classList.add("dragging");
    form.classList.add("over");
  });
  const leave = () => {
    document.body.classList.remove("dragging");
    form.classList.remove("over");
  };
  document.addEventListener("dragleave", () => { depth = Math.max(0, depth - 1); if (!depth) leave(); });
  document.addEventListener("dragover", (event) => { if (holdsFiles(event)) event.preventDefault(); });
  document.addEventListener("drop", (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    depth = 0;
    leave();
    upload([...event.dataTransfer.files]);
  });
  addEventListener("beforeunload", (event) => { if (sending > 0) event.preventDefault(); });
})();
