"use strict";
// A sentence that is pointed at, focused or clicked shows its claims, and its evidence in the source.
const root = document.querySelector(".checked");
const sentences = Array.from(root.querySelectorAll(".sentence"));
let pinned = sentences.find((one) => one.matches(".refuted, .overstated, .unverifiable")) || sentences[0];

function show(sentence, follow) {
  root.querySelectorAll(".current, .lit").forEach((one) => one.classList.remove("current", "lit"));
  if (!sentence) return;
  sentence.classList.add("current");
  document.querySelector(sentence.getAttribute("href")).classList.add("current");
  const lit = sentence.dataset.lit.split(" ").filter(Boolean).map((id) => document.getElementById(id));
  lit.forEach((one) => one.classList.add("lit"));
  if (follow && lit.length) lit[0].scrollIntoView({ block: "nearest" });
}

sentences.forEach((sentence, place) => {
  sentence.addEventListener("mouseenter", () => show(sentence, false));
  sentence.addEventListener("mouseleave", () => show(pinned, false));
  sentence.addEventListener("focus", () => { pinned = sentence; show(sentence, true); });
  sentence.addEventListener("click", (event) => {
    event.preventDefault();
    sentence.focus();
    pinned = sentence;
    show(sentence, true);
  });
  sentence.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const next = step && sentences[place + step];
    if (next) { event.preventDefault(); next.focus(); }
  });
});
root.classList.add("scripted");
show(pinned, false);
