import type { Command } from "./command.ts";
import { createAccount } from "./create_account.ts";
import { createCoach } from "./create_coach.ts";
import { eraseUser } from "./erase_user.ts";
import { exportUser } from "./export_user.ts";
import { issueKey } from "./issue_key.ts";
import { listAccounts } from "./list_accounts.ts";
import { listCoaches } from "./list_coaches.ts";
import { listIssuers } from "./list_issuers.ts";
import { listKeys } from "./list_keys.ts";
import { reindexCoach, reindexFile } from "./reindex.ts";
import { removeIssuer } from "./remove_issuer.ts";
import { revokeKey } from "./revoke_key.ts";
import { rotateKey } from "./rotate_key.ts";
import { setIssuer } from "./set_issuer.ts";
import { showCoach } from "./show_coach.ts";
import { showUsage } from "./show_usage.ts";
import { updateCoach } from "./update_coach.ts";

/** All commands, by the words that they begin with. */
export const commands: Record<string, Command> = {
  "account create": createAccount,
  "account list": listAccounts,
  "coach create": createCoach,
  "coach update": updateCoach,
  "coach list": listCoaches,
  "coach show": showCoach,
  "key issue": issueKey,
  "key list": listKeys,
  "key rotate": rotateKey,
  "key revoke": revokeKey,
  "issuer set": setIssuer,
  "issuer list": listIssuers,
  "issuer remove": removeIssuer,
  usage: showUsage,
  "reindex file": reindexFile,
  "reindex coach": reindexCoach,
  "user export": exportUser,
  "user erase": eraseUser,
};
