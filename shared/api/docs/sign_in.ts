import type { ZodOpenApiOperationObject } from "zod-openapi";
import * as z from "zod/mini";

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
  summary: "Sign in, or renew a session",
  description:
    "With a password, or with the refresh token of an earlier session. Access tokens expire after an hour: " +
    "refresh about five minutes before that.",
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
