/* The stream of one run. htmx's SSE extension swaps what arrives; this file keeps the connection.

   An EventSource cannot send Last-Event-ID on a new connection, nor be told how long to wait, nor
   see heartbeat comments. So the events are read with fetch, by an object that looks like an
   EventSource to the extension. Waits: 1, 2, 4, 8, 15 s, then 30 s, each ± 20 %. */
(() => {
  "use strict";

  const WAITS = [1000, 2000, 4000, 8000, 15000];
  const LATER = 30000;
  const SILENCE = 30000; // the server sends a heartbeat every 10 s
  const NOTICE = 2000; // a short gap is not worth a banner
  const HIDDEN = 60000; // a hidden tab lets go, and catches up when it is seen

  const jitter = (ms) => ms * (0.8 + 0.4 * Math.random());

  class RunStream extends EventTarget {
    constructor(url, lastId) {
      super();
      this.url = url;
      this.lastId = lastId;
      this.readyState = EventSource.CONNECTING;
      this.failures = 0;
      this.seen = new Set();
      this.onVisibility = () => this.visibilityChanged();
      document.addEventListener("visibilitychange", this.onVisibility);
      this.connect();
    }

    async connect() {
      if (this.readyState === EventSource.CLOSED || this.reading) return;
      clearTimeout(this.retry);
      const attempt = (this.reading = new AbortController());
      this.watchSilence();
      try {
        const headers = { Accept: "text/event-stream" };
        if (this.lastId) headers["Last-Event-ID"] = this.lastId;
        const reply = await fetch(this.url, { headers, signal: attempt.signal, cache: "no-store" });
        if (reply.status === 404 || reply.status === 204) { this.close(); this.notify("gone"); return; }
        if (!reply.ok || !reply.body) throw new Error(`status ${reply.status}`);
        this.opened();
        await this.read(reply.body.getReader());
      } catch { /* told apart below: a stream that ended, failed or was let go ends the same way */ }
      if (this.reading === attempt) this.reading = null;
      if (!this.paused) this.lost();
    }

    opened() {
      const back = this.failures > 0;
      this.readyState = EventSource.OPEN;
      this.failures = 0;
      clearTimeout(this.notice);
      this.notify(back ? "back" : "open");
      this.onopen?.(new Event("open"));
    }

    async read(reader) {
      const decoder = new TextDecoder();
      let buffer = "";
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        this.watchSilence();
        buffer += decoder.decode(value, { stream: true }).replaceAll("\r\n", "\n");
        const blocks = buffer.split("\n\n");
        buffer = blocks.pop();
        for (const block of blocks) {
          this.deliver(block);
          if (this.readyState === EventSource.CLOSED) return;
        }
      }
    }

    deliver(block) {
      let id = "";
      let name = "message";
      const data = [];
      for (const line of block.split("\n")) {
        if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
        else if (line.startsWith("event:")) name = line.slice(6).trim();
        else if (line.startsWith("id:")) id = line.slice(3).trim();
      }
      if (id) {
        if (this.seen.has(id + name)) return; // replayed
        this.seen.add(id + name);
        this.lastId = id;
      }
      if (!data.length) return;
      this.dispatchEvent(new MessageEvent(name, { data: data.join("\n"), lastEventId: id }));
    }

    lost() {
      if (this.readyState === EventSource.CLOSED) return;
      this.readyState = EventSource.CONNECTING;
      const wait = jitter(WAITS[this.failures] ?? LATER);
      if (this.failures === 0) this.notice = setTimeout(() => this.notify("lost"), NOTICE);
      this.failures += 1;
      this.retry = setTimeout(() => this.connect(), wait);
    }

    watchSilence() {
      clearTimeout(this.silence);
      this.silence = setTimeout(() => this.reading?.abort(), SILENCE);
    }

    visibilityChanged() {
      clearTimeout(this.hiddenTimer);
      if (document.hidden) {
        this.hiddenTimer = setTimeout(() => { this.paused = true; this.reading?.abort(); }, HIDDEN);
      } else if (this.paused) {
        this.paused = false;
        this.connect();
      }
    }

    notify(state) {
      document.dispatchEvent(new CustomEvent("flux:stream", { detail: state }));
    }

    /** Asked for by the reader: do not wait for the next attempt. */
    now() {
      this.connect();
    }

    close() {
      this.readyState = EventSource.CLOSED;
      document.removeEventListener("visibilitychange", this.onVisibility);
      for (const timer of [this.retry, this.silence, this.notice, this.hiddenTimer]) clearTimeout(timer);
      this.reading?.abort();
    }
  }

  const page = document.querySelector("[sse-connect]");
  const banner = document.getElementById("stream-banner");
  let stream = null;

  // Tokens are text, never markup: collected, and joined to the page once per frame.
  let waiting = "";
  let frame = 0;
  const token = (event) => {
    waiting += event.data;
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      const raw = document.getElementById("raw");
      if (raw) {
        raw.closest("[hidden]")?.removeAttribute("hidden");
        raw.append(waiting);
      }
      waiting = "";
    });
  };

  htmx.createEventSource = (url) => {
    stream = new RunStream(url, page?.dataset.last ?? "");
    stream.addEventListener("token", token);
    return stream;
  };

  document.addEventListener("flux:stream", (event) => {
    if (!banner) return;
    banner.hidden = event.detail === "open";
    banner.classList.toggle("ok", event.detail === "back");
    for (const part of banner.querySelectorAll("[data-when]")) {
      part.hidden = part.dataset.when !== event.detail;
    }
    if (event.detail === "back") setTimeout(() => { banner.hidden = true; }, 4000);
  });
  banner?.querySelector("[data-now]")?.addEventListener("click", () => stream?.now());

  document.addEventListener("htmx:sseMessage", (event) => {
    // A source that arrives open is closed by the one before it, for they take turns.
    const first = document.querySelector("#evidence .evi");
    if (first && !document.querySelector("#evidence .evi[open]")) first.open = true;
    // One sentence per step for a screen reader; the server writes it beside what it replaces.
    const said = event.target.querySelector?.("[data-say]")?.dataset.say;
    const region = document.getElementById("say");
    if (said && region) region.textContent = said;
  });
})();
