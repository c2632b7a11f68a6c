import type { ZodOpenApiMediaTypeObject, ZodOpenApiOperationObject } from "zod-openapi";
import * as z from "zod/mini";
import { type ApiError, errors } from "../../infra/errors.ts";
import { maxJsonBytes } from "../../http/read_input.ts";
import type { Needed } from "../../core/auth/admission.ts";
import { pictureTypes } from "../../libs/pictures/clean_picture.ts";
import { type AnyEndpoint, parametersOf, placeOf } from "../../http/endpoint.ts";
import {
  commonErrors,
  describeErrors,
  type ErrorForm,
  errorsOfPages,
  type Headers,
  limitHeaders,
  refer,
} from "./replies.ts";
import { functionOf } from "./find_endpoints.ts";

/** The parameters that every operation has. */
export const commonParameters = [{ $ref: "#/components/parameters/X-Request-Id" as const }];

/** The groups of operations by their functions. What is for experts alone is a group of its own. */
const tagsOfFunctions: Record<string, string> = {
  chat: "Chat",
  coaches: "Coaches",
  threads: "Threads",
  users: "Threads",
  "knowledge-handler": "Knowledge",
  openai: "OpenAI-compatible",
};

/** An operation of the document, and the schema of its body if that is JSON. */
type DescribedEndpoint = { operation: ZodOpenApiOperationObject; jsonBody?: z.ZodMiniType };

/** Describes an endpoint by its schemas and errors. Only prose and examples come from `description`. */
export function describeEndpoint(
  endpoint: AnyEndpoint,
  description: Prose & Example,
  form?: ErrorForm,
): DescribedEndpoint {
  const { name, scope, failure, body, input: { shape }, output, errors: own } = endpoint;
  const fields = (place: ReturnType<typeof placeOf>) => {
    const found = Object.entries(shape).filter(([field]) => placeOf(field, endpoint) === place);
    return found.length === 0 ? undefined : z.object(Object.fromEntries(
      found.map(([field, schema]) => [place === "header" ? endpoint.headers![field] : field, schema]),
    ));
  };
  const bodySchema = fields("body");
  const { summary, reply, bodyExamples, example, streams, emptyReply } = description;
  const headers = { ...refer("X-Request-Id"), ...limitHeaders, ...description.replyHeaders };
  return {
    operation: {
      operationId: name,
      ...(form && { security: [{ openaiKey: [] }, { apiKey: [] }, { apiKey: [], bearer: [] }] }),
      summary,
      tags: [scope === "expert" ? "Expert" : tagsOfFunctions[functionOf(endpoint)]!],
      parameters: commonParameters,
      requestParams: Object.fromEntries(
        (["path", "query", "header"] as const).map((place) => [place, fields(place)]).filter(([, schema]) => schema),
      ),
      ...(body && bodySchema && {
        requestBody: {
          required: !endpoint.isBodyOptional,
          content: body === "image/*"
            ? describePicture(bodySchema)
            : { [body]: { schema: bodySchema, examples: bodyExamples } },
        },
      }),
      description: `${description.description}\n\nNeeds a key with the scope ${nameScopes(scope)}.`,
      responses: {
        ...(description.created && "example" in description && {
          201: {
            description: `${reply}, which is new`,
            headers,
            content: { "application/json": { schema: output, example } },
          },
        }),
        200: {
          description: reply,
          headers,
          content: {
            ...streams,
            ..."example" in description && {
              "application/json": { schema: output, example },
            },
          },
        },
        ...(emptyReply && { 204: { description: emptyReply, headers } }),
        ...describeErrors(
          [
            ...commonErrors(failure),
            ...(form ? [errors.publishableKeyRefused()] : errorsOfPages()),
            errors.missingScope([scope].flat()[0]!),
            ...findInputErrors(endpoint, shape),
            ...own?.() ?? [],
          ],
          description.failureHeaders,
          form,
        ),
      },
    },
    jsonBody: body === "application/json" ? bodySchema : undefined,
  };
}

/** A body that is a picture: the only field of its schema. */
function describePicture(bodySchema: z.ZodMiniObject) {
  const [schema] = Object.values(bodySchema.shape);
  return Object.fromEntries(Object.keys(pictureTypes).map((type) => [type, { schema }]));
}

function nameScopes(scope: Needed): string {
  return [scope].flat().map((name) => `\`${name}\``).join(" or ");
}

/** Examples of the 400s: one for each field, and those for an unreadable body. */
function findInputErrors(endpoint: AnyEndpoint, shape: Readonly<Record<string, z.ZodMiniType>>): ApiError[] {
  return [
    ...parametersOf(endpoint).map((name) => errors.invalidInput(`${name} is required in path`)),
    ...(endpoint.body === "application/json"
      ? [
        errors.invalidJson(),
        errors.invalidInput("The request body must be a JSON object"),
        errors.bodyTooLarge(`${(endpoint.maxBytes ?? maxJsonBytes) / 1024} KB`),
      ]
      : []),
    ...Object.entries(shape).flatMap(([field, schema]) => {
      const place = placeOf(field, endpoint);
      if (place === "path") return [];
      // Two values that do not fit: none at all, and one of the wrong form. A header is always a text.
      const wrong = [undefined, place === "header" ? "" : NaN];
      const issue = wrong.map((value) => schema.safeParse(value).error?.issues[0]).find((issue) => issue !== undefined);
      return issue === undefined ? [] : [errors.invalidInput(issue.message)];
    }),
  ];
}

/** The prose about an operation. */
export type Prose = {
  summary: string;
  description: string;
  /** The contents of a reply. */
  reply: string;
  /** Those of a 204, if there may be one. */
  emptyReply?: string;
};

/** Examples of an operation, and what else of its replies neither its module nor the prose has. */
export type Example = {
  bodyExamples?: NonNullable<ZodOpenApiMediaTypeObject["examples"]>;
  /** The reply as JSON: the output of the operation. Without an example, the operation has no JSON reply. */
  example?: unknown;
  /** True if the reply is a 201 where something was made. */
  created?: boolean;
  /** Other forms of that reply. */
  streams?: Record<string, ZodOpenApiMediaTypeObject>;
  /** Further headers of replies that are no errors. */
  replyHeaders?: Headers;
  /** Headers that failures of the service may have. */
  failureHeaders?: Headers;
};

/** Examples by the names of their operations. */
export type Examples = Record<string, Example>;

/**
 * Reads the prose about the operations: sections with the name and the summary of an operation as heading, then
 * paragraphs, and at the end what it replies with. `{{name}}` stands for the text of another section, or a given one.
 */
export function readProse(markdown: string, given: Record<string, string>): Record<string, Prose> {
  const sections = new Map<string, string[]>(
    markdown.split(/^### /m).slice(1).map((section) => {
      const [heading = "", ...paragraphs] = section.split(/\n## /)[0]!.trim().split("\n\n");
      return [heading, paragraphs.map((paragraph) => paragraph.replaceAll("\n", " "))];
    }),
  );
  const complete = (text: string) =>
    text.replaceAll(/\{\{(\w+)\}\}/g, (heading, name) => {
      const shared = given[name] ?? sections.get(heading)?.join("\n\n");
      if (shared === undefined) throw new Error(`There is no text ${heading}`);
      return shared;
    });
  return Object.fromEntries(
    [...sections].filter(([heading]) => !heading.startsWith("{{")).map(([heading, paragraphs]) => {
      const [name = "", summary = ""] = heading.split(/: (.*)/);
      const take = (label: string) => paragraphs.find((paragraph) => paragraph.startsWith(label))?.slice(label.length);
      const description = paragraphs.filter((paragraph) => !/^(?:Empty reply|Reply): /.test(paragraph)).join("\n\n");
      const replies = { reply: take("Reply: ") ?? "", emptyReply: take("Empty reply: ") };
      return [name, { summary, description: complete(description), ...replies }];
    }),
  );
}
