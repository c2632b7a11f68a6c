import { z } from "zod";
import { CommandError, exitCodes } from "../command_error.ts";
import { defineCommand } from "./command.ts";
import { id, text } from "./inputs.ts";
import { formatTokenIssuer } from "./token_issuer.ts";

/** `issuer set` */
export const setIssuer = defineCommand({
  positionals: ["name"],
  typed: { name: "<name>", issuer: "--issuer", audience: "--audience", jwks_url: "--jwks" },
  input: z.strictObject({ name: text, account: id, issuer: text, jwks: text, audience: text }),
  isChange: true,
  async run({ name, account, issuer, jwks, audience }, { project }) {
    const { url, client } = project();
    if (issuer === `${url}/auth/v1`) {
      throw new CommandError(
        "issuer set: --issuer is this project itself, whose users can sign in without it.",
        exitCodes.calledWrongly,
      );
    }
    const { data } = await client.rpc("set_token_issuer", {
      account_id: account,
      name,
      issuer,
      jwks_url: jwks,
      audience,
    }).throwOnError();
    return { json: data, text: formatTokenIssuer(data) };
  },
});
