/** Sends one mail by `SMTP_URL` on the Deno of the functions, and prints the outcome as JSON. */
import { readMailServer } from "../../shared/infra/env.ts";
import { createSmtpSender } from "../../shared/libs/mail/smtp.ts";

const sendMail = createSmtpSender(readMailServer((name) => Deno.env.get(name) ?? null)!);
const mail = { id: "1", to: "ann@example.com", subject: "Hello", text: "Text", html: "<p>Text</p>", headers: {} };
console.log(JSON.stringify(await sendMail({ ...mail, date: new Date() }, AbortSignal.timeout(10_000))));
Deno.exit(0);
