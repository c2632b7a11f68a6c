import * as z from "zod/mini";
import { Timestamp } from "../../core/wire/fields.ts";

/** Body of `POST /mailer/confirm`. */
export const ConfirmBody = z.object({
  token: z.string().check(z.maxLength(300), z.describe("The part of the link after `#confirm-email=`")),
});

/** Reply of `POST /mailer/confirm` and `POST /mailer/unsubscribe`. */
export const MailReply = z.object({ message: z.string() });

/** Reply of `GET /mailer/answer`. */
export const MailedAnswer = z.object({
  coach: z.object({ id: z.string(), name: z.string(), picture_url: z.nullable(z.string()) }),
  question: z.string(),
  answer: z.string(),
  answered_at: Timestamp,
});
