/**
 * `npm run client`: writes what follows from the endpoints. These are the addresses that each function starts with, the
 * OpenAPI document as it is served, and from it the types and most methods of the client.
 */
import openapiTS, { astToString } from "openapi-typescript";
import { type AnyEndpoint, parametersOf, placeOf } from "../../http/endpoint.ts";
import { createApiDocument, pathOf } from "./document.ts";
import { findEndpoints, type FoundEndpoint, functionOf, writeAddresses } from "./find_endpoints.ts";

/** The texts of the files that are generated, by their paths below `shared`. */
export async function generateFiles(): Promise<Map<string, string>> {
  const { endpoints } = await findEndpoints();
  const document = await createApiDocument();
  const addresses = [...writeAddresses(endpoints)].map(([name, text]) => [`api/endpoints/${name}`, text] as const);
  return new Map([
    ...addresses,
    ["api/docs/openapi_text.json", writeServedDocument(document)],
    ["clients/client/api_types.ts", await writeClientTypes(document)],
    ["clients/client/operations.gen.ts", writeClientMethods(endpoints, document)],
  ]);
}

type ApiDocument = Awaited<ReturnType<typeof createApiDocument>>;

/** The document as it is served: pieces of its text, so that the function has nothing to parse. */
function writeServedDocument(document: ApiDocument): string {
  return `${JSON.stringify(JSON.stringify(document).match(/[^]{1,10000}/g), null, 2)}\n`;
}

/** The types of every operation and schema of the document, as TypeScript, without replies to failed requests. */
async function writeClientTypes({ components = {}, ...document }: ApiDocument): Promise<string> {
  const { responses: _responses, examples: _examples, ...kept } = components;
  // The client turns each of them into a ServiceError.
  const withoutErrors = JSON.stringify(
    { ...document, components: kept },
    (key, value) => /^[45](?:\d\d|XX)$/.test(key) ? undefined : value,
  );
  const types = await openapiTS(withoutErrors, { alphabetize: true });
  return `// Written by \`npm run client\`; not to be edited.\n${astToString(types)}`;
}

type Schema = { $ref?: string; properties?: Record<string, { type?: string }> };

/** The differences of the client from what follows from its operations. */
const differences = {
  /** Written by hand, because their arguments are other ones. */
  byHand: ["deleteCoach", "previewInvitation", "searchFiles"],
  /** Their replies may be streams, too, for which there are methods of other names. */
  alsoStreamed: ["tryQuestion"],
  optionalBodies: ["restoreVersion", "startTestRun"],
  names: { importPinnedAnswers: "importAnswers" } as Record<string, string>,
  /** Parameters of paths. */
  numbers: ["version"],
};

/** The operations that visitors of a chat page are allowed. The client of that page has no other methods. */
const visitorScopes = ["chat", "threads:read", "threads:write"];

/** The methods of the client that only send a request and return its reply: their types, and what they send. */
function writeClientMethods(endpoints: FoundEndpoint[], document: ApiDocument): string {
  const methods = endpoints.flatMap(({ endpoint }) => describeMethod(endpoint, document) ?? []);
  const [visitors, experts] = [true, false].map((isForVisitors) =>
    methods.filter((method) => method.isForVisitors === isForVisitors).map(({ request }) => `  ${request},\n`).join("")
  );
  return `// Written by \`npm run client\`; not to be edited.
import type { components, operations } from "./api_types.ts";
import type { CallOptions, RepeatableCallOptions } from "./call_operation.ts";

type Schemas = components["schemas"];
type QueryOf<Name extends keyof operations> = NonNullable<operations[Name]["parameters"]["query"]>;

/** The methods that send a request and return its reply. */
export interface OperationMethods {
${methods.map(({ type }) => type).join("")}}

/** What the methods for visitors send, as the client reads it. */
export const visitorRequests: Record<string, string> = {
${visitors}};

/** The same for experts and servers. */
export const expertRequests: Record<string, string> = {
${experts}};
`;
}

/** Returns null if the request or its reply is not JSON, or the client has no such method. */
function describeMethod(operation: AnyEndpoint, document: ApiDocument) {
  const { name, method, body, scope } = operation;
  const path = pathOf(operation);
  const described = document.paths?.[path]?.[method.toLowerCase() as "get"];
  const replies = described?.responses?.["200"]?.content ?? {};
  // A sheet of the same is left to methods that are written by hand.
  const forms = Object.keys(replies).filter((form) =>
    form !== "text/csv" && (form !== "text/event-stream" || !differences.alsoStreamed.includes(name))
  );
  const isPlain = forms.join() === "application/json" && (!body || body === "application/json");
  if (!isPlain || functionOf(operation) === "openai" || differences.byHand.includes(name)) return null;

  const fields = Object.keys(operation.input.shape).filter((field) => placeOf(field, operation) === "query");
  const needsCoach = fields.includes("coachId") && !operation.input.shape.coachId!.safeParse(undefined).success;
  const query = fields.filter((field) => !needsCoach || field !== "coachId");
  const bodyName = `${name.charAt(0).toUpperCase()}${name.slice(1)}Body`;
  const isRepeatable = body && "idempotency_key" in (document.components!.schemas![bodyName] as Schema).properties!;
  const place = body ? "body" : query.length > 0 ? "query" : undefined;
  const parameters = [
    ...[...needsCoach ? ["coachId"] : [], ...parametersOf(operation)]
      .map((field) => `${field}: ${differences.numbers.includes(field) ? "number" : "string"}`),
    ...place === "body" ? [`body${differences.optionalBodies.includes(name) ? "?" : ""}: Schemas["${bodyName}"]`] : [],
    ...place === "query"
      ? [`query?: ${needsCoach ? `Omit<QueryOf<"${name}">, "coachId">` : `QueryOf<"${name}">`}`]
      : [],
    `options?: ${isRepeatable ? "RepeatableCallOptions" : "CallOptions"}`,
  ];
  const called = differences.names[name] ?? name;
  const reply = writeReply((replies["application/json"] as { schema: Schema }).schema);
  const address = `${needsCoach ? "coachId?" : ""}${path.replace("/functions/v1/", "")}`;
  return {
    type: writeComment(`${described!.summary}.\n\n${described!.description}`) +
      writeSignature(called, parameters, `Promise<${reply}>`),
    request: `${called}: "${[method, address, place ?? []].flat().join(" ")}"`,
    isForVisitors: [scope].flat().some((name) => visitorScopes.includes(name)),
  };
}

/** The type of a reply: the name of its schema, or fields that are all texts. */
function writeReply({ $ref, properties = {} }: Schema): string {
  if ($ref) return `Schemas["${$ref.split("/").at(-1)}"]`;
  if (Object.values(properties).some(({ type }) => type !== "string")) {
    throw new Error("The reply needs a named schema");
  }
  return `{ ${Object.keys(properties).map((field) => `${field}: string`).join("; ")} }`;
}

function writeSignature(name: string, parameters: string[], result: string): string {
  const line = `  ${name}(${parameters.join(", ")}): ${result};\n`;
  if (line.length <= 121) return line;
  return `  ${name}(\n${parameters.map((parameter) => `    ${parameter},\n`).join("")}  ): ${result};\n`;
}

function writeComment(text: string): string {
  const lines = text.replaceAll(/(?=.{115})(.{1,114}) /g, "$1\n").split("\n").map((line) => `   * ${line}`.trimEnd());
  return `  /**\n${lines.join("\n")}\n   */\n`;
}

if (import.meta.main) {
  for (const [path, text] of await generateFiles()) {
    await Deno.writeTextFile(new URL(`../../${path}`, import.meta.url), text);
  }
}
