import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { createParser } from "eventsource-parser";
import type { createApiDocument } from "../../shared/api/docs/document.ts";
import served from "../../shared/api/docs/openapi_text.json" with { type: "json" };
import { fail } from "./assert.ts";

type Document = Awaited<ReturnType<typeof createApiDocument>>;

/** The document that is served, which `npm run client` writes. Making it anew takes a process half a second. */
const judgeOfService = createJudge(JSON.parse(served.join("")));

/**
 * Checks a reply against the OpenAPI document of the service: see {@link createJudge}. Replies with the document
 * itself, and of functions that are not for clients, are not checked.
 *
 * @param text the body, if it has been read
 */
export function assertDocumented(
  method: string,
  { url, status, headers }: Pick<Response, "url" | "status" | "headers">,
  text?: string,
): void {
  const { pathname } = new URL(url);
  const path = /^\/(functions|auth)\/v1\//.test(pathname) ? pathname : `/functions/v1${pathname}`;
  if (
    method === "OPTIONS" ||
    /^\/functions\/v1\/(docs(?!\/health$)|indexer|fetcher)(\/|$)|^\/functions\/v1\/mailer$/.test(path)
  ) {
    return;
  }
  // The events of a chat are described; those of MCP and of OpenAI's API are the protocol's own.
  const isOfProtocol = /^\/functions\/v1\/(?:mcp(?:$|\/)|openai\/)/.test(path) &&
    headers.get("Content-Type")?.startsWith("text/event-stream");
  const complaint = judgeOfService(method, path, { status, headers, text: isOfProtocol ? undefined : text });
  if (complaint !== null) fail(`${complaint}\n${method} ${path} → ${status} ${headers.get("Content-Type")}\n${text}`);
}

/** What a document refers to, or the thing itself. */
// deno-lint-ignore no-explicit-any
export function resolveIn(document: any, part: any): any {
  if (part?.$ref === undefined) return part;
  return part.$ref.split("/").slice(1).reduce(
    (within: Record<string, unknown>, name: string) => within[name],
    document,
  );
}

type HeaderOrRef = { $ref?: string; required?: boolean };

/** A reply; `text` is its body if it was read. */
export type JudgedReply = { status: number; headers: Headers; text?: string };

/**
 * Returns a function that compares a reply with a document and returns its fault, or null. It checks that the operation
 * has a reply of this status and type, that the headers are present, that the body fits the schema without additional
 * fields, and that its error is documented. Requests that the document does not describe must be refused.
 */
export function createJudge(document: Document) {
  const strict = structuredClone(document);
  forbidFurtherFields(strict);
  // As a whole, it is no schema.
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
  addFormats.default(ajv);
  ajv.addSchema(strict, "document");

  const paths = Object.entries(document.paths ?? {}).map(([template, item]) => ({
    pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
    pointer: `/paths/${template.replaceAll("/", "~1")}`,
    item,
  }));

  function complainOf(pointer: string, value: unknown): string | null {
    const validate = ajv.getSchema(`document#${encodeURI(pointer)}`);
    if (validate === undefined) throw new Error(`There is no schema at ${pointer}`);
    return validate(value) ? null : ajv.errorsText(validate.errors);
  }

  function complainOfHeader(pointer: string, name: string, value: string | null, isRequired: boolean): string | null {
    if (value === null) return isRequired ? `The reply lacks ${name}` : null;
    const complaint = complainOf(pointer, value);
    if (complaint === null || /^\d+$/.test(value) && complainOf(pointer, Number(value)) === null) return null;
    return `${name} is ${value}: ${complaint}`;
  }

  function complainOfText(text: string): string | null {
    const stray = text.split("\n").find((line) => !/^(?:(?:data|id): .*|: ping|)$/.test(line));
    return stray === undefined ? null : `A stream of text has no line ${stray}`;
  }

  /** `of`: the schemas of names and data; without them, each event has a schema of its name. */
  function complainOfEvents(text: string, of: { event: HeaderOrRef; data: HeaderOrRef } | undefined): string | null {
    const complaints: (string | null)[] = [];
    createParser({
      onEvent({ event = "", id, data }) {
        const pointer = of?.data.$ref?.slice(1) ??
          `/components/schemas/${event.charAt(0).toUpperCase()}${event.slice(1)}Event`;
        if (of?.event.$ref) complaints.push(complainOf(of.event.$ref.slice(1), event));
        if (id === undefined) complaints.push(`The event ${event} has no id`);
        complaints.push(complainOf(pointer, JSON.parse(data)));
      },
    }).feed(text);
    return complaints.find((complaint) => complaint !== null) ?? null;
  }

  return (method: string, path: string, { status, headers, text }: JudgedReply): string | null => {
    const name = (method === "HEAD" ? "GET" : method).toLowerCase() as "get";
    const found = paths.find(({ pattern, item }) => pattern.test(path) && item[name] !== undefined);
    if (found === undefined) {
      if (status < 400) return "The document does not describe what is answered";
      const usual = status === 429 ? "RateLimitError" : status < 500 ? "Error" : "ServerError";
      const name = path.startsWith("/functions/v1/openai/") ? "OpenaiError" : usual;
      return complainOfHeader("/components/schemas/ErrorCode", "X-Error-Code", headers.get("X-Error-Code"), true) ??
        (text ? complainOf(`/components/schemas/${name}`, JSON.parse(text)) : null);
    }

    // deno-lint-ignore no-explicit-any
    const responses: any = found.item[name]?.responses;
    const key = status in responses ? status : `${Math.floor(status / 100)}XX`;
    const response = resolveIn(document, responses[key]);
    if (response === undefined) return "The document does not have the status";
    const pointer = responses[key].$ref?.slice(1) ?? `${found.pointer}/${name}/responses/${key}`;

    const known = Object.keys(response.headers ?? {}).map((name) => name.toLowerCase());
    // Supabase Auth has further headers, which the document does not describe.
    const stray = known.length === 0 ? undefined : [...headers.keys()]
      .find((name) => /^(?:x-(?!accel-)|retry-after$)/.test(name) && !known.includes(name));
    if (stray !== undefined) return `The document does not have the header ${stray}`;
    for (const [name, { $ref, required }] of Object.entries<HeaderOrRef>(response.headers ?? {})) {
      const place = $ref?.slice(1) ?? `${pointer}/headers/${name}`;
      const isRequired = required ?? $ref !== undefined;
      const complaint = complainOfHeader(`${place}/schema`, name, headers.get(name), isRequired);
      if (complaint !== null) return complaint;
    }

    if (response.content === undefined) return text ? "The document has no body" : null;
    const type = headers.get("Content-Type")?.split(";")[0] ?? "none";
    const media = response.content[type];
    if (media === undefined) return "The document does not have the type";
    if (text === undefined || method === "HEAD") return null;
    if (type === "text/event-stream") {
      return /^event: /m.test(text)
        ? complainOfEvents(text, media.schema.contentSchema?.properties)
        : complainOfText(text);
    }
    if (text === "") return "The reply has no body";
    const body = type === "application/json" ? JSON.parse(text) : text;
    const complaint = complainOf(`${pointer}/content/${type.replaceAll("/", "~1")}/schema`, body);
    if (complaint !== null) return complaint;
    // There are too many errors of input for an example of each.
    if (status <= 400 || media.examples === undefined) return null;
    // Several errors may have one sentence.
    const codes = Object.entries(media.examples)
      .filter(([, example]) => sentenceOf(resolveIn(document, example).value) === sentenceOf(body)).map(([code]) =>
        code
      );
    if (codes.length === 0) return "The document does not have the error";
    return codes.some((code) => code.startsWith(headers.get("X-Error-Code") ?? ""))
      ? null
      : "The document has another code for the error";
  };
}

/** The body of an error; the function `openai` has the sentence in an object. */
type ErrorShape = { error: string | { message: string } };

function sentenceOf({ error }: ErrorShape): string {
  return typeof error === "string" ? error : error.message;
}

/** Clients must accept further fields, but the service must not send undocumented ones. */
function forbidFurtherFields(node: unknown): void {
  if (typeof node !== "object" || node === null) return;
  if ("properties" in node && "type" in node && !("additionalProperties" in node)) {
    Object.assign(node, { additionalProperties: false });
  }
  for (const value of Object.values(node)) forbidFurtherFields(value);
}
