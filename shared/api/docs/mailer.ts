import type { ZodOpenApiOperationObject } from "zod-openapi";
import * as z from "zod/mini";
import { errors } from "../../infra/errors.ts";
import { ConfirmBody, MailedAnswer } from "../../features/mailer/handlers.ts";
import { commonParameters } from "./describe_endpoint.ts";
import { describeOpenErrors } from "./error_replies.ts";
import { refer } from "./headers.ts";

const token = z.object({ token: z.string().check(z.describe("The token of the link in the mail")) });

const MailReply = z.object({ message: z.string() });

const reply = (description: string, message: string) => ({
  description,
  headers: refer("X-Request-Id"),
  content: { "application/json": { schema: MailReply, example: { message } } },
});

/** The page that a link in a mail leads to. */
const redirect = { description: "`Location` has the page", headers: refer("X-Request-Id") };

/** `POST /mailer/confirm`. It needs no key: the token is what the link in the mail has. */
export const confirmMail: ZodOpenApiOperationObject = {
  operationId: "confirmMail",
  summary: "Confirm an email address",
  description: "Confirms an address that was given to be told of answers. The token is in the link of the mail " +
    "that was sent to the address, and expires after two days. No key is needed. `GET` with `?token=` leads to the chat " +
    "page and changes nothing.",
  tags: ["Threads"],
  security: [],
  parameters: commonParameters,
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
  summary: "Unsubscribe from mails",
  description:
    "Ends the mails of one kind. Mail programs send this request when somebody chooses to unsubscribe (RFC 8058): its " +
    "address is in the header `List-Unsubscribe` of the mail. With the token of the link in a confirmation mail that says " +
    "that somebody else gave the address, nothing is sent to it any more. No key is needed, and the body is not read. The request " +
    "may be repeated.",
  tags: ["Threads"],
  security: [],
  parameters: commonParameters,
  requestParams: { query: token },
  responses: {
    200: reply("No more mails of this kind are sent", "Unsubscribed successfully"),
    ...describeOpenErrors(errors.linkNotValid(), errors.failed("Failed to unsubscribe", null)),
  },
};

/** `GET /mailer/unsubscribe`, for people who open the address. */
export const openUnsubscribe: ZodOpenApiOperationObject = {
  operationId: "openUnsubscribe",
  summary: "Open the page with the mail settings",
  description:
    "Leads to the expert's desk, or to the chat page. It changes nothing: programs that look into mails open links.",
  tags: ["Threads"],
  security: [],
  parameters: commonParameters,
  requestParams: { query: token },
  responses: {
    303: redirect,
    ...describeOpenErrors(errors.linkNotValid(), errors.notFound(), errors.failed("Failed to open the page", null)),
  },
};

/** `GET /mailer/confirm`, for people who open the address. */
export const openConfirmation: ZodOpenApiOperationObject = {
  operationId: "openConfirmation",
  summary: "Open the page that confirms an email address",
  description: "Leads to the chat page, with the token after `#confirm-email=`. It changes nothing.",
  tags: ["Threads"],
  security: [],
  parameters: commonParameters,
  requestParams: { query: token },
  responses: {
    303: redirect,
    ...describeOpenErrors(errors.notFound(), errors.failed("Failed to open the page", null)),
  },
};

/** `GET /mailer/answer`: what the link in a mail opens. */
export const readMailedAnswer: ZodOpenApiOperationObject = {
  operationId: "readMailedAnswer",
  summary: "Open an answer from a mail",
  description:
    "The question and the expert's answer that a mail tells of, and nothing else of the thread. The token is in the link " +
    "of the mail, after `#answer=`. No key is needed. The link works for 30 days after the answer, unless the request is " +
    "withdrawn.",
  tags: ["Threads"],
  security: [],
  parameters: commonParameters,
  requestParams: { query: token },
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
