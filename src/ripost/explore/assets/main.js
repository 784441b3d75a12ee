import { Engine } from "./engine/engine.js";

const engine = await Engine.open(JSON.parse(document.getElementById("view").textContent));
window.ripost = { engine, answer: (selection) => engine.answer(selection) };
