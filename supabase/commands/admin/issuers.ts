import { z } from "zod";
import { refuse } from "../command_error.ts";
import { anAccount, defineCommand, defineList, ifGiven, option, text } from "./command.ts";
import { readAll } from "./read_rows.ts";
import { formatFields } from "./terminal_text.ts";

const tokenIssuer = z.object({
  account_id: z.string(),
  name: z.string(),
  issuer: z.string(),
  jwks_url: z.string(),
  audience: z.string(),
});

function formatTokenIssuer(data: unknown): string {
  const { account_id, jwks_url, ...issuer } = tokenIssuer.parse(data);
  return formatFields({ ...issuer, jwks: jwks_url, account: account_id });
}

/** `npm run admin -- issuer …` */
export const issuerCommands = {
  set: defineCommand({
    about:
      `Lets users of an application's own login use the account. Their tokens must have ISSUER as iss and AUDIENCE as
      aud, and be signed with a key published at URL. The IDs of these users begin with <name>, which has up to 32
      characters of a-z, 0-9 and -. An issuer with the same name is replaced. The change takes effect within a minute.`,
    args: { name: text },
    options: {
      account: anAccount,
      issuer: option("ISSUER", text, "the claim iss of the tokens"),
      jwks: option("URL", text, "where the public keys are"),
      audience: option("AUDIENCE", text, "the claim aud of the tokens"),
    },
    typed: { name: "<name>", issuer: "--issuer", audience: "--audience", jwks_url: "--jwks" },
    isChange: true,
    async run({ name, account, issuer, jwks, audience }, { project }) {
      const { url, client } = project();
      if (issuer === `${url}/auth/v1`) {
        refuse("issuer set: --issuer is this project itself, whose users can sign in without it.");
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
  }),

  list: defineList({
    about: "Lists the issuers of tokens.",
    options: { account: ifGiven(anAccount) },
    none: "There are no token issuers yet.",
    read: ({ client }, { account }) => readAll(() => client.rpc("list_token_issuers"), account),
    show: ({ name, issuer, audience, jwks_url: jwks, account_id: account }) => {
      return { name, issuer, audience, jwks, account };
    },
  }),

  remove: defineCommand({
    about: "Removes an issuer of tokens. Its users can no longer use the account.",
    args: { name: text },
    options: { account: anAccount },
    isChange: true,
    async run({ name, account }, { project }) {
      const { data } = await project().client.rpc("remove_token_issuer", { account_id: account, name }).throwOnError();
      return { json: data, text: formatTokenIssuer(data) };
    },
  }),
};
