import { fieldsOf, readJson } from "../base/fields_of.ts";
import type { ModelEvent, ToolCall } from "./model_event.ts";
import type { ModelRequest } from "./model_request.ts";
import { writeArguments } from "./read_fields.ts";

/** Marks of a call: of Qwen and Hermes, of Llama, and of Mistral. Without a second one, it goes on to the end of the reply. */
const marks = [
  ["<tool_call>", "</tool_call>"],
  ["<function=", "</function>"],
  ["<|python_tag|>", ""],
  ["[TOOL_CALLS]", ""],
] as const;
type Mark = typeof marks[number] | ["", ""];

/** The beginning of an object that is no call. */
const otherObject = /^\s*\{\s*(?:[^"\s]|"(?!(?:name|function|type|id|arguments|parameters)")[^"]*")/;

/** The longest text that may be a call, in UTF-16 units. */
const maxHeld = 16 * 1024;
/** The most marks of a reply that are looked at. */
const maxMarks = 20;

/**
 * Finds the calls of tools that a model has written into its text, because its server does not know how the model writes
 * them. Returns the events of a reply with such calls as events of their own. A text that is no call of a tool that was
 * offered stays text.
 */
export function createCallFinder(tools: ModelRequest["tools"] = []): (events: ModelEvent[]) => ModelEvent[] {
  let held = "";
  let isBegun = false;
  let isAfterCall = false;
  let count = 0;
  let marksLeft = maxMarks;

  function findMark(): { at: number; mark: Mark } | undefined {
    if (marksLeft === 0) return undefined;
    // Llama also writes nothing but the object.
    if (!isBegun && held.trimStart().startsWith("{") && !otherObject.test(held)) return { at: 0, mark: ["", ""] };
    const found = marks.map((mark) => ({ at: held.indexOf(mark[0]), mark })).filter(({ at }) => at >= 0);
    return found.toSorted((one, other) => one.at - other.at)[0];
  }
  /** Takes from what is held all that is decided. */
  function take(isEnd: boolean): ModelEvent[] {
    const events: ModelEvent[] = [];
    const tell = (length: number) => {
      const text = held.slice(0, length);
      held = held.slice(length);
      isBegun ||= text.trim() !== "";
      if (text !== "") events.push({ type: "text", text });
    };
    while (held !== "") {
      if (isAfterCall) held = held.trimStart();
      if (held === "") break;
      isAfterCall = false;
      const found = findMark();
      if (found === undefined) {
        tell(isEnd ? held.length : held.length - lengthOfBeginning(held));
        break;
      }
      tell(found.at);
      const [opening, closing] = found.mark;
      const end = closing === "" ? -1 : held.indexOf(closing);
      if (end < 0 && !isEnd && held.length <= maxHeld) break;
      const length = end < 0 ? held.length : end + closing.length;
      const calls = parseCalls(held.slice(opening.length, end < 0 ? undefined : end))
        .filter(({ name }) => tools.some((tool) => tool.name === name));
      marksLeft--;
      if (calls.length === 0) tell(length);
      else held = held.slice(length);
      isAfterCall = calls.length > 0;
      for (const call of calls.slice(0, maxMarks)) {
        events.push({ type: "call", call: { id: `written_${++count}`, ...call } });
      }
      isBegun = true;
    }
    return events;
  }

  return (events) => {
    if (tools.length === 0) return events;
    const read = events.flatMap((event): ModelEvent[] => {
      // A call is never in two messages.
      const isBreak = event.type === "ended" || event.type === "message";
      if (isBreak || event.type === "failed") return [...take(isBreak), event];
      const isPlain = event.type === "text" && held === "" && isBegun && !isAfterCall && !/[<[]/.test(event.text);
      if (event.type !== "text" || isPlain) return [event];
      held += event.text;
      return take(false);
    });
    return read.length === 0 && events.length > 0 ? [{ type: "alive" }] : read;
  };
}

/** Returns how much of the end of a text may be the beginning of a mark. */
function lengthOfBeginning(text: string): number {
  const at = Math.max(text.lastIndexOf("<"), text.lastIndexOf("["));
  return at >= 0 && marks.some(([opening]) => opening.startsWith(text.slice(at))) ? text.length - at : 0;
}

type Written = Omit<ToolCall, "id">;

function parseCalls(text: string): Written[] {
  return text.split("[TOOL_CALLS]").flatMap((piece) => {
    const json = readJson(piece.trim());
    return typeof json === "object" && json !== null ? [json].flat().flatMap(readObject) : readNamed(piece);
  });
}

function readObject(value: unknown): Written[] {
  const outer = fieldsOf(value);
  const fields = { ...outer, ...fieldsOf(outer.function) };
  const name = fields.name ?? fields.function;
  const written = writeArguments(fields.arguments ?? fields.parameters ?? {});
  return typeof name === "string" && typeof written === "string" ? [{ name, arguments: written }] : [];
}

/** Reads a name with an object, or with a tag for each parameter. */
function readNamed(text: string): Written[] {
  const [head, name] = /^\s*(?:<function=)?([\w-]{1,64})(?:>|\[ARGS\])\s*/.exec(text) ?? [];
  if (head === undefined || name === undefined) return [];
  const rest = text.slice(head.length);
  const [written] = rest.startsWith("{") ? rest.split("</function>") : [];
  if (written !== undefined) return [{ name, arguments: written.trim() }];
  const parameters = [...rest.matchAll(/<parameter=([\w-]{1,64})>([^<]*)<\/parameter>/g)]
    .map(([, key, value = ""]) => [key, readJson(value) ?? value.trim()]);
  return [{ name, arguments: JSON.stringify(Object.fromEntries(parameters)) }];
}
