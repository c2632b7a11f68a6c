import { holdsKey, LoggableError } from "../base/log.ts";
import { classify, type ModelErrorKind, settingOf } from "./failure.ts";
import type { ReportedFailure } from "./model_event.ts";
import type { ModelRequest } from "./model_request.ts";

/** A model that does not answer. The message is for operators. */
export class ModelError extends LoggableError {
  override name = "ModelError";
  readonly kind: ModelErrorKind;
  /** The variable or column that an operator has to look at. */
  readonly setting: string | null;
  readonly failure: ReportedFailure;

  /** @param apiKey removed from the server's text, since some servers repeat it */
  constructor(failure: ReportedFailure, request: ModelRequest, apiKey: string | null = null) {
    const kind = classify(failure);
    const setting = settingOf(failure, request);
    const asked = [request.instructions, ...textsOf(request)].map((text) => lettersOf(flatten(text)));
    const hide = (said: string) => mask(apiKey ? said.replaceAll(apiKey, "…") : said, asked);
    const harmless = {
      ...failure,
      code: hide(failure.code),
      param: failure.param && hide(failure.param),
      message: hide(failure.message),
      requestId: failure.requestId && hide(failure.requestId),
    };
    super(describe(kind, setting, harmless));
    this.kind = kind;
    this.setting = setting;
    this.failure = harmless;
  }
}

function describe(kind: ModelErrorKind, setting: string | null, failure: ReportedFailure): string {
  const facts = [
    kind,
    failure.isUnreachable ? "no reply" : failure.status,
    failure.code,
    failure.param && `param ${failure.param}`,
    failure.requestId && `request ${failure.requestId}`,
    setting && `look at ${setting}`,
  ].filter(Boolean).join(", ");
  return failure.message === "" ? facts : `${facts}: ${failure.message}`;
}

const maxLength = 300;
/**
 * The number of letters and digits in a row that must agree before a text counts as a repetition of the conversation.
 * Other characters are ignored, because servers change them. In scripts that servers do not use themselves, fewer
 * letters are enough.
 */
const pieceLength = 12;
const foreignPiece = /^[^\0-\x7f]{4}/;

/** Hides in a server's message the parts of the request that it repeats, and keys. */
function mask(said: string, asked: string[]): string {
  const text = flatten(said.slice(0, 10 * maxLength)).slice(0, maxLength);
  let letters = "";
  const positions: number[] = [];
  let at = 0;
  for (const character of text) {
    const kept = lettersOf(character);
    for (let unit = 0; unit < kept.length; unit++) positions.push(at);
    letters += kept;
    at += character.length;
  }
  const isRepeated = new Array<boolean>(text.length).fill(false);
  const hide = (from: number, length: number) =>
    isRepeated.fill(true, positions[from], positions[from + length - 1]! + 1);
  for (let from = 0; from < letters.length; from++) {
    const piece = letters.slice(from, from + pieceLength);
    const [foreign] = foreignPiece.exec(piece) ?? [];
    for (const each of [piece.length === pieceLength ? piece : undefined, foreign]) {
      if (each !== undefined && asked.some((text) => text.includes(each))) hide(from, each.length);
    }
  }
  // Codes and names of parameters are no longer than this, and may well be words of the conversation.
  const short = asked.filter((each) => each.length > 8 && each.length < pieceLength);
  for (const each of short) {
    for (let from = letters.indexOf(each); from >= 0; from = letters.indexOf(each, from + 1)) hide(from, each.length);
  }
  return hideRuns(text, isRepeated).split(" ").map((word) => holdsKey(word) ? "…" : word).join(" ");
}

/** The letters and digits of a text, in lower case. */
function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

function hideRuns(text: string, isHidden: boolean[]): string {
  let shown = "";
  for (let index = 0; index < text.length; index++) {
    if (!isHidden[index]) shown += text[index];
    else if (!isHidden[index - 1]) shown += "…";
  }
  return shown.toWellFormed();
}

/** One line, without the escapes of texts that stand in JSON or HTML. */
function flatten(text: string): string {
  return text.replace(/\\+u([0-9a-f]{4})/gi, (_, code) => String.fromCharCode(parseInt(code, 16)))
    .replace(/\\+[nrt]|&#?\w{1,6};|[\s\\\0]+/gi, " ").trim();
}

function textsOf({ history, quoted, input }: ModelRequest): string[] {
  return [...history, ...quoted, ...input].map((item) => {
    if ("output" in item) return item.output;
    if ("arguments" in item) return item.arguments;
    return typeof item.content === "string" ? item.content : "";
  });
}
