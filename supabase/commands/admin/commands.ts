import type { Command } from "./command.ts";
import { addAnswer } from "./add_answer.ts";
import { addExpert } from "./add_expert.ts";
import { addSource } from "./add_source.ts";
import { dismissQuestion } from "./dismiss_question.ts";
import { findThreads } from "./find_threads.ts";
import { exportAnswers } from "./export_answers.ts";
import { importAnswers } from "./import_answers.ts";
import { listAnswers } from "./list_answers.ts";
import { listSources } from "./list_sources.ts";
import { refreshSource } from "./refresh_source.ts";
import { removeSource } from "./remove_source.ts";
import { showSource } from "./show_source.ts";
import { listQuestions } from "./list_questions.ts";
import { removeAnswer } from "./remove_answer.ts";
import { showActs } from "./show_acts.ts";
import { showAnswer } from "./show_answer.ts";
import { showHistory } from "./show_history.ts";
import { showKey } from "./show_key.ts";
import { showThread } from "./show_thread.ts";
import { updateAnswer } from "./update_answer.ts";
import { createAccount } from "./create_account.ts";
import { createCoach } from "./create_coach.ts";
import { deleteAccount } from "./delete_account.ts";
import { eraseUser } from "./erase_user.ts";
import { exportUser } from "./export_user.ts";
import { exportTests } from "./export_tests.ts";
import { importPrices } from "./import_prices.ts";
import { importTests } from "./import_tests.ts";
import { inviteExpert } from "./invite_expert.ts";
import { issueKey } from "./issue_key.ts";
import { listAccounts } from "./list_accounts.ts";
import { listBudgets } from "./list_budgets.ts";
import { listCoaches } from "./list_coaches.ts";
import { listExperts } from "./list_experts.ts";
import { listIssuers } from "./list_issuers.ts";
import { listKeys } from "./list_keys.ts";
import { listPrices } from "./list_prices.ts";
import { listTests } from "./list_tests.ts";
import { listUsers } from "./list_users.ts";
import { reindexCoach, reindexFile } from "./reindex.ts";
import { removeBudget } from "./remove_budget.ts";
import { removeExpert } from "./remove_expert.ts";
import { removeIssuer } from "./remove_issuer.ts";
import { removePrice } from "./remove_price.ts";
import { removeWebhook } from "./remove_webhook.ts";
import { restoreCoach } from "./restore_coach.ts";
import { revokeKey } from "./revoke_key.ts";
import { rotateKey } from "./rotate_key.ts";
import { runTests } from "./run_tests.ts";
import { setBudget } from "./set_budget.ts";
import { setIssuer } from "./set_issuer.ts";
import { setPrice } from "./set_price.ts";
import { setRetention } from "./set_retention.ts";
import { setWebhook } from "./set_webhook.ts";
import { showBudget } from "./show_budget.ts";
import { showCoach } from "./show_coach.ts";
import { showUsage } from "./show_usage.ts";
import { showUser } from "./show_user.ts";
import { showWebhook } from "./show_webhook.ts";
import { testWebhook } from "./test_webhook.ts";
import { updateCoach } from "./update_coach.ts";

/** All commands, by the words that they begin with. */
export const commands: Record<string, Command> = {
  "account create": createAccount,
  "account list": listAccounts,
  "account retention": setRetention,
  "account history": showActs,
  "account delete": deleteAccount,
  "coach create": createCoach,
  "coach update": updateCoach,
  "coach list": listCoaches,
  "coach show": showCoach,
  "coach history": showHistory,
  "coach restore": restoreCoach,
  "expert list": listExperts,
  "expert add": addExpert,
  "expert remove": removeExpert,
  "expert invite": inviteExpert,
  "question list": listQuestions,
  "question dismiss": dismissQuestion,
  "answer add": addAnswer,
  "answer list": listAnswers,
  "answer show": showAnswer,
  "answer update": updateAnswer,
  "answer remove": removeAnswer,
  "answer import": importAnswers,
  "answer export": exportAnswers,
  "source add": addSource,
  "source list": listSources,
  "source show": showSource,
  "source refresh": refreshSource,
  "source remove": removeSource,
  "test run": runTests,
  "test list": listTests,
  "test import": importTests,
  "test export": exportTests,
  "thread find": findThreads,
  "thread show": showThread,
  "key issue": issueKey,
  "key list": listKeys,
  "key show": showKey,
  "key rotate": rotateKey,
  "key revoke": revokeKey,
  "budget set": setBudget,
  "budget list": listBudgets,
  "budget show": showBudget,
  "budget remove": removeBudget,
  "issuer set": setIssuer,
  "issuer list": listIssuers,
  "issuer remove": removeIssuer,
  "webhook set": setWebhook,
  "webhook show": showWebhook,
  "webhook test": testWebhook,
  "webhook remove": removeWebhook,
  "price import": importPrices,
  "price set": setPrice,
  "price list": listPrices,
  "price remove": removePrice,
  usage: showUsage,
  "reindex file": reindexFile,
  "reindex coach": reindexCoach,
  "user list": listUsers,
  "user show": showUser,
  "user export": exportUser,
  "user erase": eraseUser,
};
