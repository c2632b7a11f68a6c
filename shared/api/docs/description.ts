import type { ZodOpenApiMediaTypeObject, ZodOpenApiOperationObject } from "zod-openapi";
import type { Headers } from "./headers.ts";

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
