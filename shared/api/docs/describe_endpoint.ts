import type { ZodOpenApiMediaTypeObject, ZodOpenApiOperationObject } from "zod-openapi";
import * as z from "zod/mini";
import { type ApiError, errors } from "../../infra/errors.ts";
import { maxJsonBytes } from "../../http/read_input.ts";
import type { Needed } from "../../core/auth/admission.ts";
import { pictureTypes } from "../../libs/pictures/clean_picture.ts";
import { type AnyEndpoint, parametersOf, placeOf } from "../../http/endpoint.ts";
import { commonErrors, describeErrors, type ErrorForm, errorsOfPages } from "./error_replies.ts";
import { functionOf } from "./find_endpoints.ts";
import { type Headers, limitHeaders, refer } from "./headers.ts";

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

/** Describes an endpoint by its schemas and errors. Only texts and examples come from `description`. */
export function describeEndpoint(
  endpoint: AnyEndpoint,
  description: Description,
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
  const { summary, reply, bodyExamples, streams, emptyReply } = description;
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
        ...(description.created && "example" in reply && {
          201: {
            description: `${reply.description}, which is new`,
            headers,
            content: { "application/json": { schema: output, example: reply.example } },
          },
        }),
        200: {
          description: reply.description,
          headers,
          content: {
            ...streams,
            ..."example" in reply && {
              "application/json": { schema: output, example: reply.example },
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

/** The texts and examples of an operation, which its descriptor and route do not have. */
export type Description =
  & Required<Pick<ZodOpenApiOperationObject, "summary" | "description">>
  & {
    /** Examples of a JSON body. */
    bodyExamples?: NonNullable<ZodOpenApiMediaTypeObject["examples"]>;
    /** The reply as JSON: the output of the operation. Without an example, the operation has no JSON reply. */
    reply: { description: string; example?: unknown };
    /** True if the reply is a 201 where something was made. */
    created?: boolean;
    /** Other forms of that reply. */
    streams?: Record<string, ZodOpenApiMediaTypeObject>;
    /** The description of a 204. */
    emptyReply?: string;
    /** Further headers of replies that are no errors. */
    replyHeaders?: Headers;
    /** Headers that failures of the service may have. */
    failureHeaders?: Headers;
  };

/** Descriptions by the names of their operations. */
export type Descriptions = Record<string, Description>;
