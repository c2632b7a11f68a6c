import { Transform } from "node:stream";

/** Makes a terminal mark the beginning and the end of pasted text. */
export const markPastes = "\x1b[?2004h";

/** Has it stop that. */
export const doNotMarkPastes = "\x1b[?2004l";

/** Shown in place of a line break of pasted text while the message is being typed. */
const lineBreak = "␤";

// deno-lint-ignore no-control-regex
const mark = /(\x1b\[20[01]~)/;
/** The beginning of a mark that is not complete yet. */
// deno-lint-ignore no-control-regex
const halfMark = /\x1b(?:\[(?:2(?:0[01]?)?)?)?$/;
/** Keys, of which a paste has none. */
const controls = /(?!\t)\p{Cc}/gu;

/**
 * Makes each paste a single line for a line reader, so that it becomes one message; see {@link readMessage}. The
 * terminal must mark pastes. Node's readline understands these marks, Deno's does not.
 */
export function joinPastes(): Transform {
  let isPasting = false;
  let held = "";
  const decoder = new TextDecoder();
  return new Transform({
    decodeStrings: true,
    encoding: "utf8",
    transform(chunk: Uint8Array, _encoding, done) {
      const text = held + decoder.decode(chunk, { stream: true });
      held = halfMark.exec(text)?.[0] ?? "";
      let joined = "";
      for (const part of text.slice(0, text.length - held.length).split(mark)) {
        if (mark.test(part)) isPasting = part === "\x1b[200~";
        else joined += isPasting ? part.replaceAll(/\r\n?|\n/g, lineBreak).replaceAll(controls, "") : part;
      }
      done(null, joined);
    },
    flush: (done) => done(null, held),
  });
}

/** The message in a line, with the line breaks that were pasted into it. */
export function readMessage(line: string): string {
  return line.replaceAll(lineBreak, "\n");
}
