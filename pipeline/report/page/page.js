"use strict";
(() => {
  const MAX_PRINTED = 25;
  const one = (path, from = document) => from.querySelector(path);
  const all = (path, from = document) => [...from.querySelectorAll(path)];
  const rows = all("article.row");
  const form = one("#filters"), search = one("#search"), shown = one("#shown"), none = one("#none");
  const chips = all(".chip", form), selects = all("select", form);
  const button = (row) => one("h3 button", row);
  const number = (row) => row.id.slice(1);
  const isOpen = (row) => row.classList.contains("open");

  // ---- details: built when an answer is opened, let go when it is closed
  const open = (row) => {
    if (isOpen(row)) return;
    const body = one(".body", row), kept = document.getElementById("d" + number(row));
    if (kept) body.innerHTML = kept.textContent;
    else body.append(say("The details of this answer are left out; what is left out is listed at the top."));
    all("figure", body).forEach(draw);
    body.querySelectorAll(".pages").forEach(arrange);
    body.hidden = false;
    row.classList.add("open");
    button(row).setAttribute("aria-expanded", "true");
    all("figure:not([hidden])", body).forEach(reveal);
  };
  const close = (row) => {
    if (!isOpen(row)) return;
    const body = one(".body", row);
    body.hidden = true;
    body.replaceChildren();
    row.classList.remove("open");
    button(row).setAttribute("aria-expanded", "false");
  };
  const say = (words) => Object.assign(document.createElement("p"), { className: "note", textContent: words });

  const draw = (figure) => {
    const kept = document.getElementById("p" + figure.dataset.sheet), sheet = one(".sheet", figure);
    const marks = one(".marks", figure), note = kept ? kept.dataset.note : "it is not in this report";
    if (note) {
      marks.remove();
      sheet.append(say("No picture of this page: " + note + "."));
      return;
    }
    const { kind, width, height } = kept.dataset, picture = new Image(+width, +height);
    picture.alt = "page " + figure.dataset.page + " as printed";
    picture.src = "data:" + kind + ";base64," + kept.textContent;
    marks.setAttribute("viewBox", "0 0 " + width + " " + height);
    marks.setAttribute("preserveAspectRatio", "none");
    sheet.prepend(picture);
  };

  // a mark far down on its page is brought into sight
  const reveal = (figure) => {
    const mark = one("g.lit", figure) || one("g", figure), pane = one(".window", figure);
    if (!mark) return;
    pane.scrollTop += mark.getBoundingClientRect().top - pane.getBoundingClientRect().top - pane.clientHeight / 3;
  };

  // one page at a time, and buttons for the others
  const arrange = (pages) => {
    const figures = all("figure", pages);
    if (!figures.length) return;
    const tabs = Object.assign(document.createElement("div"), { className: "tabs" });
    tabs.setAttribute("role", "group");
    tabs.setAttribute("aria-label", "Pages");
    figures.forEach((figure, at) => {
      const tab = Object.assign(document.createElement("button"), { type: "button", className: "tab" });
      tab.textContent = "page " + figure.dataset.page;
      tab.dataset.page = figure.dataset.page;
      tab.setAttribute("aria-pressed", String(at === 0));
      if (figures.length > 1) tabs.append(tab);
      figure.hidden = at > 0;
    });
    const zoom = Object.assign(document.createElement("button"), { type: "button", className: "zoom", textContent: "Larger" });
    zoom.setAttribute("aria-pressed", "false");
    tabs.append(zoom);
    pages.prepend(tabs);
  };
  const turnTo = (evidence, page) => {
    const figures = all("figure", evidence);
    if (!figures.some((figure) => figure.dataset.page === page)) return;
    figures.forEach((figure) => { figure.hidden = figure.dataset.page !== page; });
    reveal(figures.find((figure) => !figure.hidden));
    all(".tab", evidence).forEach((tab) => tab.setAttribute("aria-pressed", String(tab.dataset.page === page)));
  };
  const light = (evidence, quote) => {
    all("[data-q]", evidence).forEach((part) => {
      if (!part.matches("button")) part.classList.toggle("lit", part.dataset.q === quote);
    });
    const mark = one('.marks g[data-q="' + quote + '"]', evidence);
    if (!mark) return;
    turnTo(evidence, mark.closest("figure").dataset.page);
    mark.closest("figure").scrollIntoView({ block: "nearest" });
  };

  // ---- filters
  const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const texts = new Map();
  const textOf = (row) => {
    if (!texts.has(row)) {
      const told = all(".q, .meta, .answer, .why, .expected", row).map((part) => part.textContent);
      const kept = document.getElementById("d" + number(row));
      if (kept) {
        for (const quote of kept.textContent.matchAll(/<blockquote>([\s\S]*?)<\/blockquote>/g)) {
          told.push(quote[1].replace(/<[^>]*>/g, " ").replace(/&(amp|lt|gt|quot|#39);/g, (_, name) =>
            ({ amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" })[name]));
        }
      }
      texts.set(row, fold(told.join(" ")).replace(/\s+/g, " "));
    }
    return texts.get(row);
  };
  const tests = {
    document: (row, value) => row.dataset.d === value,
    tag: (row, value) => (row.dataset.t || "").split(" ").includes(value),
    stop: (row, value) => row.dataset.r === value,
    expected: (row, value) => row.dataset.e === value,
    confidence: (row, value) => "c" in row.dataset && (value === "below" ? +row.dataset.c < 500 : +row.dataset.c >= +value),
  };
  const filter = () => {
    const statuses = chips.filter((chip) => chip.getAttribute("aria-pressed") === "true").map((chip) => chip.dataset.status);
    const chosen = selects.filter((select) => select.value).map((select) => [tests[select.dataset.by], select.value]);
    const words = [...search.value.matchAll(/"([^"]+)"|(\S+)/g)].map((found) => fold(found[1] || found[2]));
    let count = 0;
    for (const row of rows) {
      const fits = (!statuses.length || statuses.includes(row.dataset.s)) && chosen.every(([test, value]) => test(row, value))
        && words.every((word) => textOf(row).includes(word));
      row.hidden = !fits;
      count += fits;
    }
    shown.textContent = count.toLocaleString("en") + " of " + rows.length.toLocaleString("en") + " answers shown";
    none.hidden = count > 0 || !rows.length;
  };
  const visible = () => rows.filter((row) => !row.hidden);
  const clear = () => {
    form.reset();
    chips.forEach((chip) => chip.setAttribute("aria-pressed", "false"));
    filter();
  };
  let waiting = 0;
  search.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(filter, 120); });
  selects.forEach((select) => select.addEventListener("change", filter));
  form.addEventListener("submit", (event) => { event.preventDefault(); filter(); });
  form.addEventListener("reset", () => setTimeout(() => {
    chips.forEach((chip) => chip.setAttribute("aria-pressed", "false"));
    filter();
  }));
  chips.forEach((chip) => chip.addEventListener("click", () => {
    chip.setAttribute("aria-pressed", String(chip.getAttribute("aria-pressed") !== "true"));
    filter();
  }));
  one("#again").addEventListener("click", () => { clear(); search.focus(); });
  one("#unfold").addEventListener("click", () => visible().forEach(open));
  one("#refold").addEventListener("click", () => rows.forEach(close));

  // ---- clicks inside answers
  one("#answers").addEventListener("click", (event) => {
    const pressed = event.target.closest("button");
    if (!pressed) return;
    const row = pressed.closest("article"), evidence = pressed.closest(".evidence");
    if (row && pressed === button(row)) (isOpen(row) ? close : open)(row);
    else if (evidence && pressed.dataset.q) light(evidence, pressed.dataset.q);
    else if (pressed.matches(".tab")) turnTo(evidence, pressed.dataset.page);
    else if (pressed.matches(".zoom")) {
      pressed.setAttribute("aria-pressed", String(evidence.classList.toggle("large")));
      all("figure:not([hidden])", evidence).forEach(reveal);
    }
  });

  // ---- keys
  const step = (from, by) => {
    const list = visible(), at = list.indexOf(from);
    const next = at < 0 ? list[by > 0 ? 0 : list.length - 1] : list[at + by];
    if (!next) return;
    button(next).focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest" });
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target, row = target.closest("article.row"), isField = target.matches("input, select, textarea");
    const isHead = row && target === button(row);
    if (event.key === "Escape") {
      if (target === search && search.value) { search.value = ""; filter(); }
      else if (target === search) step(null, 1);
      else if (row && isOpen(row)) { close(row); button(row).focus(); }
      else return;
    } else if (isField) return;
    else if (event.key === "/") { search.focus(); search.select(); }
    else if (event.key === "j" || (isHead && event.key === "ArrowDown")) step(row, 1);
    else if (event.key === "k" || (isHead && event.key === "ArrowUp")) step(row, -1);
    else if (isHead && event.key === "Home") step(null, 1);
    else if (isHead && event.key === "End") step(null, -1);
    else return;
    event.preventDefault();
  });

  // ---- light and dark; where nothing can be kept, the system decides each time
  const theme = one("#theme"), modes = ["system", "light", "dark"], system = matchMedia("(prefers-color-scheme: dark)");
  const keep = (mode) => { try { localStorage.setItem("pdfdocket-theme", mode); } catch { return; } };
  const recall = () => { try { return localStorage.getItem("pdfdocket-theme"); } catch { return null; } };
  let mode = modes.includes(recall()) ? recall() : "system";
  const paint = () => {
    const root = document.documentElement;
    root.style.colorScheme = mode === "system" ? "light dark" : mode;
    root.classList.toggle("dark", mode === "dark" || (mode === "system" && system.matches));
    theme.textContent = "Theme: " + (mode === "system" ? "as the system" : mode);
  };
  theme.addEventListener("click", () => { mode = modes[(modes.indexOf(mode) + 1) % modes.length]; keep(mode); paint(); });
  system.addEventListener("change", paint);

  // ---- a few answers are printed with their details, many only where they are open
  let opened = [];
  addEventListener("beforeprint", () => {
    const closed = visible().filter((row) => !isOpen(row));
    opened = visible().length <= MAX_PRINTED ? closed : [];
    opened.forEach(open);
    if (opened.length < closed.length) shown.dataset.printed = "details only of those that are open";
  });
  addEventListener("afterprint", () => {
    opened.forEach(close);
    opened = [];
    delete shown.dataset.printed;
  });

  const follow = () => {
    const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const row = named && named.closest("article.row");
    if (row) { clear(); open(row); row.scrollIntoView(); button(row).focus({ preventScroll: true }); }
  };
  addEventListener("hashchange", follow);

  form.hidden = theme.hidden = false;
  paint();
  filter();
  if (rows.length === 1) open(rows[0]);
  follow();
})();
