import type { ZodOpenApiOperationObject } from "zod-openapi";
import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { ConfirmBody, MailedAnswer } from "../../features/mailer/handlers.ts";
import { commonParameters } from "./describe_endpoint.ts";
import { describeOpenErrors, refer } from "./replies.ts";

/** `GET /docs/health`, for monitors. */
export const getHealth: ZodOpenApiOperationObject = {
  operationId: "getHealth",
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

const token = z.object({ token: z.string().check(z.describe("The token of the link in the mail")) });

const MailReply = z.object({ message: z.string() });

const reply = (description: string, message: string) => ({
  description,
  headers: refer("X-Request-Id"),
  content: { "application/json": { schema: MailReply, example: { message } } },
});

/** What links in mails lead to needs no key. */
const byLink = { tags: ["Threads"], security: [], parameters: commonParameters };
/** The same where the address has the token. */
const byAddress = { ...byLink, requestParams: { query: token } };

/** The page that a link in a mail leads to. */
const redirect = { description: "`Location` has the page", headers: refer("X-Request-Id") };

/** `POST /mailer/confirm`. It needs no key: the token is what the link in the mail has. */
export const confirmMail: ZodOpenApiOperationObject = {
  operationId: "confirmMail",
  ...byLink,
  requestBody: {
    required: true,
    content: { "application/json": { schema: ConfirmBody, example: { token: "confirm.0d6a4f6e…" } } },
  },
  responses: {
    200: reply("The address is confirmed", "Email address confirmed successfully"),
    ...describeOpenErrors(
      errors.invalidJson(),
      errors.linkNotValid(),
      errors.failed("Failed to confirm the address", null),
    ),
  },
};

/** `POST /mailer/unsubscribe`, as RFC 8058 has it. */
export const unsubscribe: ZodOpenApiOperationObject = {
  operationId: "unsubscribe",
  ...byAddress,
  responses: {
    200: reply("No more mails of this kind are sent", "Unsubscribed successfully"),
    ...describeOpenErrors(errors.linkNotValid(), errors.failed("Failed to unsubscribe", null)),
  },
};

/** `GET /mailer/unsubscribe`, for people who open the address. */
export const openUnsubscribe: ZodOpenApiOperationObject = {
  operationId: "openUnsubscribe",
  ...byAddress,
  responses: {
    303: redirect,
    ...describeOpenErrors(errors.linkNotValid(), errors.notFound(), errors.failed("Failed to open the page", null)),
  },
};

/** `GET /mailer/confirm`, for people who open the address. */
export const openConfirmation: ZodOpenApiOperationObject = {
  operationId: "openConfirmation",
  ...byAddress,
  responses: {
    303: redirect,
    ...describeOpenErrors(errors.notFound(), errors.failed("Failed to open the page", null)),
  },
};

/** `GET /mailer/answer`: what the link in a mail opens. */
export const readMailedAnswer: ZodOpenApiOperationObject = {
  operationId: "readMailedAnswer",
  ...byAddress,
  responses: {
    200: {
      description: "The question and its answer",
      headers: refer("X-Request-Id"),
      content: {
        "application/json": {
          schema: MailedAnswer,
          example: {
            coach: { id: "6f1c2d3e-4b5a-4c6d-8e7f-901234567890", name: "Ada Lovelace", picture_url: null },
            expert: { name: "Mary", picture_url: null },
            question: "How do I start with a new team?",
            answer: "Listen first. Then ask what should stay.",
            answered_at: "2026-11-20T17:03:33.140Z",
          },
        },
      },
    },
    ...describeOpenErrors(errors.notFound(), errors.failed("Failed to fetch the answer", null)),
  },
};

const Password = z.object({
  email: z.string().check(z.meta({ format: "email" })),
  password: z.string().check(z.meta({ format: "password" })),
});

const RefreshToken = z.object({ refresh_token: z.string() });

/** A login session, as Supabase Auth returns it. */
export const Session = z.looseObject({
  access_token: z.string().check(z.describe("A JWT, for `Authorization: Bearer`")),
  token_type: z.literal("bearer"),
  expires_in: z.int().check(z.describe("Seconds: 3600")),
  refresh_token: z.string().check(z.describe("For the next refresh. Each refresh returns a new one")),
  user: z.optional(z.looseObject({ id: z.string(), email: z.string() })).check(
    z.describe("Only after signing in with a password"),
  ),
});

/** `POST /auth/v1/token`: Supabase Auth serves it, so that it is described whole here. */
export const signIn: ZodOpenApiOperationObject = {
  operationId: "signIn",
  tags: ["Sessions"],
  security: [{ projectKey: [] }],
  requestParams: { query: z.object({ grant_type: z.enum(["password", "refresh_token"]) }) },
  requestBody: {
    required: true,
    content: {
      "application/json": {
        schema: z.union([Password, RefreshToken]),
        examples: {
          password: { value: { email: "ada@example.com", password: "correct horse battery staple" } },
          refresh_token: { value: { refresh_token: "v1.MR5m…" } },
        },
      },
    },
  },
  responses: {
    200: {
      description: "A session",
      content: {
        "application/json": {
          schema: Session,
          example: {
            access_token: "eyJhbGciOiJFUzI1NiIs…",
            token_type: "bearer",
            expires_in: 3600,
            refresh_token: "v1.MR5m…",
            user: { id: "0d6a4f6e-2f5b-4d8e-9a39-5b7f1d3c8e21", email: "ada@example.com" },
          },
        },
      },
    },
    "4XX": {
      description: "Refused; the sentence is Supabase Auth's own",
      content: { "application/json": { schema: z.looseObject({}) } },
    },
  },
};
