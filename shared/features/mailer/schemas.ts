import * as z from "zod/mini";

/** Body of `POST /mailer/confirm`. */
export const ConfirmBody = z.object({
  token: z.string().check(z.maxLength(300), z.describe("The part of the link after `#confirm-email=`")),
});

/** Reply of `POST /mailer/confirm` and `POST /mailer/unsubscribe`. */
export const MailReply = z.object({ message: z.string() });
