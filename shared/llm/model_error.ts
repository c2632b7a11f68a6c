import { holdsKey, LoggableError } from "../log.ts";
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

  constructor(failure: ReportedFailure, request: ModelRequest) {
    const kind = classify(failure);
    const setting = settingOf(failure, request);
    const harmless = {
      ...failure,
      code: mask(failure.code, request),
      param: failure.param && mask(failure.param, request),
      message: mask(failure.message, request),
      requestId: failure.requestId && mask(failure.requestId, request),
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
/** A text of the conversation is taken for repeated where so many characters agree. */
const pieceLength = 20;

/** What a server says, without what it repeats of the request, and without keys. */
function mask(said: string, request: ModelRequest): string {
  const text = flatten(said).slice(0, maxLength);
  const asked = [request.instructions, ...textsOf(request)].map(flatten);
  const isRepeated = new Array<boolean>(text.length).fill(false);
  const hide = (piece: string, from: number) => isRepeated.fill(true, from, from + piece.length);
  for (let from = 0; from + pieceLength <= text.length; from++) {
    const piece = text.slice(from, from + pieceLength);
    if (asked.some((each) => each.includes(piece))) hide(piece, from);
  }
  // Codes and names of parameters are no longer than this, and may well be words of the conversation.
  const short = asked.filter((each) => each.length > 8 && each.length < pieceLength);
  for (const each of short) {
    for (let from = text.indexOf(each); from >= 0; from = text.indexOf(each, from + 1)) hide(each, from);
  }
  return hideRuns(text, isRepeated).split(" ").map((word) => holdsKey(word) ? "…" : word).join(" ");
}

function hideRuns(text: string, isHidden: boolean[]): string {
  let shown = "";
  for (let index = 0; index < text.length; index++) {
    if (!isHidden[index]) shown += text[index];
    else if (!isHidden[index - 1]) shown += "…";
  }
  return shown.toWellFormed();
}

/** One line, without the backslashes of texts that stand in JSON. */
function flatten(text: string): string {
  return text.replace(/\\[nrt]|[\s\\\0]+/g, " ").trim();
}

function textsOf({ history, quoted, input }: ModelRequest): string[] {
  return [...history, ...quoted, ...input].map((item) => {
    if ("output" in item) return item.output;
    if ("arguments" in item) return item.arguments;
    return typeof item.content === "string" ? item.content : "";
  });
}
