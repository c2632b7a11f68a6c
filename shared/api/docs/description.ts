import type { ZodOpenApiMediaTypeObject, ZodOpenApiOperationObject } from "zod-openapi";
import type { Headers } from "./headers.ts";

/** What the document says of an operation beyond its descriptor and its route: prose and examples. */
export type Description =
  & Required<Pick<ZodOpenApiOperationObject, "summary" | "description" | "tags">>
  & {
    /** Of the body, where it is JSON. */
    bodyExamples?: NonNullable<ZodOpenApiMediaTypeObject["examples"]>;
    /** The reply as JSON: the output of the operation. Without an example, there is no such form of it. */
    reply: { description: string; example?: unknown };
    /** Other forms of that reply. */
    streams?: Record<string, ZodOpenApiMediaTypeObject>;
    /** When the reply is a 204. */
    emptyReply?: string;
    /** Further headers of replies that are no errors. */
    replyHeaders?: Headers;
    /** Headers that failures of the service may have. */
    failureHeaders?: Headers;
  };

/** Descriptions by the names of their operations. */
export type Descriptions = Record<string, Description>;
