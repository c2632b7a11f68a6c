import * as z from "zod/mini";
import { defineEndpoint } from "../../http/endpoint.ts";
import { coachId, describeExpertMail, expertColumns, ExpertMail, ofExperts, storedExpertMail } from "./fields.ts";

/** The mails that the signed-in expert gets about a coach. */
export const operation = defineEndpoint({
  name: "getExpertMail",
  method: "GET",
  path: "/coaches/:coachId/experts/me/mail",
  scope: "expert",
  failure: "Failed to fetch the mail settings",
  errors: ofExperts,
  input: z.object({ coachId }),
  output: ExpertMail,
  async verb(ctx, { coachId }) {
    const columns = expertColumns(ctx, coachId);
    return describeExpertMail(ctx, await ctx.database.call("save_mail_settings", columns, storedExpertMail));
  },
});
