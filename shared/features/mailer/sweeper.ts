import { type Sweeper, sweepOneByOne } from "../../core/sweep_one_by_one.ts";
import type { WorkBudget } from "../../core/work_budget.ts";
import { lazy } from "../../libs/base/lazy.ts";
import { describeError, type Log } from "../../libs/base/log.ts";
import type { SendMail } from "../../libs/mail/send_mail.ts";
import { deliverMails, type MailerServices } from "./deliver_mails.ts";

/** The work of writing a mail and sending it over an encrypted connection, in milliseconds. */
const costOfMail = 25;

/** Creates what sends the mails that are due. Without a mail server, nothing is claimed. */
export function createSweeper(services: MailerServices, budget: WorkBudget): Sweeper {
  const { mail: server, timeouts } = services;
  // The library is loaded when the first mail is sent.
  const loadSender = lazy(async () => (await import("../../libs/mail/smtp.ts")).createSmtpSender(server!));
  const sendMail: SendMail = async (mail, signal) => await (await loadSender())(mail, signal);

  async function sweep(at: number, log: Log): Promise<void> {
    if (server === null) return;
    const endsAt = at + timeouts.mailSweep;
    const mayGoOn = () => !budget.isSpent() && performance.now() < endsAt;
    try {
      const charge = () => budget.charge(costOfMail);
      if (await deliverMails(services, { sendMail, mayGoOn, charge, log })) await services.wakeMailer(log);
    } catch (error) {
      log("error", "sweep_failed", { reason: describeError(error) });
    }
  }

  return sweepOneByOne({ lasts: timeouts.mailSweep, sweep, handOver: services.wakeMailer });
}
