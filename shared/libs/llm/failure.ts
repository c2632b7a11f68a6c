import { fieldsOf, readJson } from "../base/fields_of.ts";
import type { ReportedFailure } from "./model_event.ts";
import type { ModelRequest } from "./model_request.ts";

/** The kinds of a model's error. */
export type ModelErrorKind =
  /** The model's rules forbid to answer this. */
  | "refused"
  /** Too much is asked of it at the moment. */
  | "busy"
  /** It will not answer before an operator has changed something. */
  | "misconfigured"
  /** It cannot read so much at once. */
  | "too_long"
  | "unavailable";

/** A request that the model's server has refused or not answered, or a reply that has failed. */
export class FailedReply extends Error {
  override name = "FailedReply";

  constructor(readonly failure: ReportedFailure) {
    super(failure.code);
  }
}

/** Reads an error of the official client: a refusal of the server, or no reply at all. Null for any other error. */
export function readFailure(error: unknown): ReportedFailure | null {
  if (!(error instanceof Error && "requestID" in error)) return null;
  const { status, headers, error: body, message } = fieldsOf(error);
  if (typeof status !== "number" || !(headers instanceof Headers)) return { ...failWith(""), isUnreachable: true };
  // The client puts the status before what it did not understand, and says so where there was nothing.
  return describeRefusal(
    { status, headers },
    body,
    typeof message === "string" ? message.replace(/^\d{3} (?:status code \(no body\)$)?/, "") : "",
  );
}

/** Reads a reply of an error status. One that breaks off is told by its status. */
export async function readRefusal(response: Response): Promise<ReportedFailure> {
  const text = await response.text().catch(() => "");
  const body = readJson(text);
  if (typeof body !== "object" || body === null) return describeRefusal(response, undefined, text);
  const report = fieldsOf(body).error ?? body;
  return describeRefusal(response, report, JSON.stringify(report));
}

/** @param text where the report has no message of its own */
function describeRefusal(
  { status, headers }: Pick<Response, "status" | "headers">,
  report: unknown,
  text: string,
): ReportedFailure {
  const header = (...names: string[]) => names.map((name) => headers.get(name)).find((value) => value !== null) ?? null;
  const reported = readReport(report);
  return {
    ...reported,
    status,
    message: reported.message || text,
    retryAfter: readRetryAfter(header("retry-after-ms"), header("retry-after")),
    requestId: header("x-request-id", "request-id", "apim-request-id"),
    isUnreachable: false,
  };
}

/** Reads what servers write as an error, in a body or in an event: mostly an object, sometimes a text or a list. */
export function readReport(report: unknown): ReportedFailure {
  if (Array.isArray(report)) return readReport(report[0]);
  const { code, type, param, msg, status_msg, message = msg ?? status_msg, status, innererror, detail, error } =
    fieldsOf(report);
  if (error && message === undefined) return readReport(error);
  const codes = [code, type, status, fieldsOf(innererror).code].filter((each) => typeof each === "string");
  const text = typeof report === "string" ? report : message ?? detail;
  return {
    status: readStatus(code),
    code: codes.filter((code) => code !== "error").join(" "),
    // LiteLLM writes Python's None.
    param: typeof param === "string" && param !== "" && param !== "None" ? param : placeOf(detail),
    message: typeof text === "string" ? text : text === undefined ? "" : JSON.stringify(text),
    retryAfter: null,
    requestId: null,
  };
}

/** Returns the place of the first fault that FastAPI sees: `text` of `[{loc: ["body", "text"], …}]`. */
function placeOf(detail: unknown): string | null {
  const { loc } = fieldsOf(Array.isArray(detail) ? detail[0] : undefined);
  return Array.isArray(loc) && loc.length > 1 ? loc.slice(1).join(".") : null;
}

/** A number as a code is the status that the reply of a server behind the server had. LiteLLM writes it as a text. */
function readStatus(code: unknown): number | null {
  return /^[45]\d\d$/.test(String(code)) ? Number(code) : null;
}

/** The code of a reply in the form of chat completions: some servers give it at any address. */
export const notThisApi = "chat_completion";

/** A failure that has only a code. */
export function failWith(code: string): ReportedFailure {
  return { ...readReport(undefined), code };
}

const limitCodes = /rate_?limit|throttl|overload|slow_down|too_many_requests|capacity|engine_busy|insufficient_system/i;
const limitTexts =
  /overload|capacity|high demand|too many requests|rate limit|slow down|\bbusy\b|loading model|currently loading/i;
const policyCodes =
  /content_?filter|content_?policy|policy_?violation|usage_?polic|moderation|flagged|invalid_prompt|ResponsibleAI|prompt_?blocked|cyber_?policy|bio_?policy|data_?inspection|prohibited_content|blocklist|recitation|identifier_?blocked|guardrail|sensitivecontent|\b(?:refusal|sensitive|safety|spii|1301)\b/i;
const policyTexts =
  /content.?policy|content management policy|content filter\w* policy|usage (?:policy|policies|guidelines)|violat\w+ (?:our |the )?(?:usage|content|safety|guardrail)|was flagged|inappropriate content|content exists risk|considered high risk|new_sensitive/i;
const accountCodes =
  /^(?!.*throttl).*(?:quota|billing|credit|balance|budget|arrear|api_key|authentication|permission|unauthori[sz]ed|_restricted)/i;
const accountTexts =
  /login fail|(?:incorrect|invalid|wrong) api.?key|api.?key (?:is )?(?:not valid|invalid|missing|expired)|invalid authorization|location is not supported|credit balance|purchase (?:more )?credits|spending limit|insufficient (?:balance|credits|funds|quota)/i;
const modelCodes =
  /model_?not_?(?:found|exist|open|available)|model_terms_required|unknown_model|invalid_model|model_decommissioned|deployment_?not_?found/i;
// A point ends a sentence, but not where it is part of a name such as llama3.2.
const modelTexts =
  /\b(?:models?|deployment)\b(?:[^.]|\.\w){0,200}?(?:not found|does(?:n't| not) exist|not exist|has been (?:deprecated|retired|decommissioned|shut down)|not available|unknown)|not a valid model|invalid model name|llm provider not provided|model identifier is invalid|no endpoints found|(?:unknown|no such|not found the) model|^model: \S+$|supported (?:API )?model names are/i;

/**
 * Classifies a failure. Servers agree on little more than the statuses, so codes and sentences are looked at too. What is
 * about the request itself comes first, since it is told with statuses of all kinds: a 429 may be a request that is too
 * large for ever, or an account without credit.
 */
export function classify(failure: ReportedFailure): ModelErrorKind {
  const { status, code } = failure;
  const text = failure.message.slice(0, 1_000);
  const isRefusal = status === null || status >= 400 && status < 500;
  if (isRefusal && (policyCodes.test(code) || policyTexts.test(text))) return "refused";
  if (isOverflow(failure)) return "too_long";
  if (status === 401 || status === 402 || status === 403 || accountCodes.test(code)) return "misconfigured";
  if (isRefusal && accountTexts.test(text)) return "misconfigured";
  if (isUnknownModel(failure) || isUnknownPath(failure)) return "misconfigured";
  if (status === 429 || status === 529 || limitCodes.test(code)) return "busy";
  if (status === 503 && failure.retryAfter !== null) return "busy";
  if ((status === 503 || status === null) && limitTexts.test(text)) return "busy";
  return "unavailable";
}

/** Returns whether the model itself has made a mistake, which Groq reports with a 400 or in the stream. */
export function isSlip({ code }: ReportedFailure): boolean {
  return /\b(?:tool_use_failed|output_parse_failed)\b/.test(code);
}

/** Returns whether the server does not have the model. */
export function isUnknownModel({ status, code, param, message }: ReportedFailure): boolean {
  if (modelCodes.test(code) || param === "model") return true;
  return (status === 400 || status === 404) && modelTexts.test(message.slice(0, 1_000));
}

/** Returns whether the server does not know the address of the request. */
export function isUnknownPath(failure: ReportedFailure): boolean {
  const { status, message } = failure;
  // LM Studio says so with the status 200.
  if (/unexpected endpoint/i.test(message) || failure.code === notThisApi) return true;
  if (status === 400 || status === 500) return noResponses.test(`${failure.code} ${message}`);
  return (status === 404 || status === 405 || status === 501) && !isUnknownModel(failure);
}

/** The words of Azure, for older versions of its API and for older models, and of new-api, for most servers behind it. */
const noResponses =
  /responses API is enabled only for|API version not supported|responses operation does not work with|convert_request_failed.* not implemented/i;

/** The variable or column that an operator has to look at; null where nothing points to one. */
export function settingOf(
  failure: ReportedFailure,
  request: Pick<ModelRequest, "model" | "modelSetting">,
): string | null {
  const usualSetting = request.model === null ? "OPENAI_MODEL" : "coach_profiles.model";
  if (isUnknownModel(failure)) return request.modelSetting ?? usualSetting;
  if (isUnknownPath(failure)) return "OPENAI_BASE_URL";
  return classify(failure) === "misconfigured" ? "OPENAI_API_KEY" : null;
}

/** Seconds, from milliseconds or from a `Retry-After` with seconds or a date; null where there is neither. */
function readRetryAfter(milliseconds: string | null, value: string | null): number | null {
  const seconds = milliseconds ? Number(milliseconds) / 1_000 : value ? Number(value) : NaN;
  if (Number.isFinite(seconds)) return Math.max(seconds, 0);
  const date = Date.parse(value ?? "");
  return Number.isNaN(date) ? null : Math.max((date - Date.now()) / 1_000, 0);
}

/** A server's sign that the input is too long for its model: a code, or words of its message. */
type Wording = { said: RegExp; by: string };

/** Codes and types of errors, and who sends them. */
const codes: Wording[] = [
  { said: /context_(?:length|window|size)/i, by: "OpenAI, Azure, Groq, Zhipu, Fireworks" },
  { said: /exceed_context/i, by: "llama.cpp" },
  { said: /(?:prompt|input|request)_too_long/i, by: "Anthropic's gateways" },
  { said: /too_many_(?:prompt|input|context)_tokens/i, by: "Perplexity" },
];

/** Words of messages, and who writes them. */
const wordings: Wording[] = [
  { said: /context.?(?:length|window|size|limit)/i, by: "OpenAI, vLLM, LiteLLM, LM Studio, MiniMax, OpenRouter" },
  { said: /maximum (?:context|model|prompt|input)|max_seq_len/i, by: "xAI, Mistral, vLLM, SiliconFlow" },
  { said: /model token limit/i, by: "Moonshot" },
  { said: /range of input length/i, by: "DashScope" },
  { said: /prompt exceeds/i, by: "Zhipu" },
  { said: /max_new_tokens\W+must be/i, by: "Hugging Face, Together" },
  { said: /at least 1, got -\d/i, by: "older vLLM: what is left for the answer" },
  {
    said: /(?:prompt|input|request|messages?)\b.{0,40}\b(?:is|are) too (?:long|large)/i,
    by: "Anthropic, Perplexity, Bedrock",
  },
  {
    said: /(?:prompt|request|input)(?: length| tokens)? (?:too (?:long|large)|超长)/i,
    by: "Ollama, Baidu, Tencent, Zhipu, OpenAI's limit of a minute",
  },
  { said: /reduce the (?:length|number) of (?:the |your )?(?:messages?|prompt|input|tokens)/i, by: "Groq, OpenAI" },
  // Bedrock's "Too many tokens, please wait" is a limit of a minute.
  { said: /too many (?:input |prompt )?tokens(?!,? (?:per|please wait))/i, by: "Cohere, Bedrock" },
  { said: /must have less than \d+ tokens/i, by: "TGI" },
  { said: /max tokens of \d+ exceeded/i, by: "Snowflake" },
  { said: /(?:input|prompt)s? tokens? (?:count )?exceed/i, by: "Perplexity" },
  { said: /tokens? (?:count )?\S+ exceeds|exceeds the maximum number of tokens/i, by: "Gemini, Copilot" },
  { said: /longer than the (?:maximum|model)/i, by: "vLLM, SGLang" },
];

/** Two amounts of tokens, the one that was sent and the one that is allowed: `213462 tokens > 200000 maximum`. */
const amount = /\d[\d,_.]*\d/g;
const isAboutInput = /token|prompt|input|message|sequence/i;
const isLimit = /exceed|maximum|limit|at most|allow|>|<=|must be|up to|only|larger than|greater than|more than/i;
/** A limit of the answer, or of a time, which a shorter input does not meet. */
const isOtherLimit =
  /max_(?:completion_|output_)?tokens|completion tokens|output|per (?:min|hour|day)|\bTP[MD]\b|rate.?limit/i;

/** The smallest context of a model in use, in tokens: smaller numbers mean something else. */
const smallestContext = 512;

/** Returns whether a failure says that the input is too long for the model. */
export function isOverflow({ status, code, message }: Pick<ReportedFailure, "status" | "code" | "message">): boolean {
  if (status === 413 || codes.some(({ said }) => said.test(code))) return true;
  const text = message.slice(0, 1_000);
  // Older llama.cpp and Ollama say so with a 500, which most servers have for failures of their own.
  const isOwnFailure = status === 500 && /\bexceeds\b/i.test(text);
  const isPossible = status === null || status === 400 || status === 422 || status === 429 || isOwnFailure;
  const comparesTokens = status !== 429 && !isOwnFailure && comparesAmounts(text);
  return isPossible && (comparesTokens || wordings.some(({ said }) => said.test(text)));
}

function comparesAmounts(text: string): boolean {
  if (!isAboutInput.test(text) || !isLimit.test(text) || isOtherLimit.test(text)) return false;
  const amounts = (text.match(amount) ?? []).map((written) => Number(written.replace(/[,_.]/g, "")));
  return new Set(amounts.filter((tokens) => tokens >= smallestContext)).size >= 2;
}
