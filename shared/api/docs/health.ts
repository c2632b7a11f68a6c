import type { ZodOpenApiOperationObject } from "zod-openapi";
import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { commonParameters } from "./describe_endpoint.ts";
import { describeOpenErrors } from "./error_replies.ts";
import { refer } from "./headers.ts";

/** `GET /docs/health`, for monitors. */
export const getHealth: ZodOpenApiOperationObject = {
  operationId: "getHealth",
  summary: "Ask whether the service works",
  description:
    "200 if Postgres and the language model's server answer and the work in the background gets on, otherwise 503. What " +
    "is wrong is only told to operators. The reply may be ten seconds old. No key is needed.",
  tags: ["Monitors"],
  security: [],
  parameters: commonParameters,
  responses: {
    200: {
      description: "It works",
      headers: refer("X-Request-Id"),
      content: { "application/json": { schema: z.object({ status: z.literal("ok") }), example: { status: "ok" } } },
    },
    ...describeOpenErrors(errors.failed("Failed to describe the service", null), errors.unhealthy()),
  },
};
