import type { ZodOpenApiOperationObject, ZodOpenApiResponseObject } from "zod-openapi";
import type { ApiError } from "../errors.ts";
import type { Headers } from "./headers.ts";

/** What the document says of an endpoint beyond what the endpoint says itself. */
export type Operation =
  & Required<Pick<ZodOpenApiOperationObject, "operationId" | "summary" | "description" | "tags">>
  & Pick<ZodOpenApiOperationObject, "requestParams" | "requestBody">
  & {
    /** The replies whose errors, if any, are not those of the catalogue, by their status. */
    replies: Record<number, ZodOpenApiResponseObject>;
    /** The errors that not every endpoint has, by their names. */
    errors: Record<string, ApiError>;
    /** What failures of the service may carry besides what every reply does. */
    failureHeaders?: Headers;
  };

/** Operations by method and path of their endpoints. */
export type Operations = Record<string, Operation>;
