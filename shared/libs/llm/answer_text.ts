import type { ModelEvent, Phase } from "./model_event.ts";

/** The text that a person is shown of one or more replies. */
export interface AnswerText {
  /** Returns the text that an event adds; empty if it adds none. */
  read(event: ModelEvent): string;
  /** Returns the text to add at the end: the commentary, if nothing else was said. */
  end(): string;
  /** The phase of the message that was shown last. */
  readonly phase: Phase | null;
}

/** More is not kept of a message that may never be shown: models can go on and on. In UTF-16 units. */
export const maxKept = 1024 * 1024;

/** Messages become paragraphs. A commentary, which only accompanies the work, is held back. */
export function createAnswerText(): AnswerText {
  let isShown = false;
  let isBreakDue = false;
  let commentary = "";
  let current: Phase | null = null;
  let phase: Phase | null = null;

  return {
    read(event) {
      if (event.type === "message") {
        current = event.phase;
        if (current !== "commentary") isBreakDue = isShown;
        else if (commentary !== "") commentary += "\n\n";
      }
      if (event.type !== "text") return "";
      if (current === "commentary") {
        if (commentary.length < maxKept) commentary += event.text;
        return "";
      }
      const text = isBreakDue ? `\n\n${event.text}` : event.text;
      isBreakDue = false;
      isShown = true;
      phase = current;
      return text;
    },
    end() {
      if (isShown || commentary === "") return "";
      phase = "commentary";
      return commentary;
    },
    get phase() {
      return phase;
    },
  };
}
