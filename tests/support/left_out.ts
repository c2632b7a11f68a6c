/**
 * Files and folders that `npm test` leaves to `npm run test:all`: tests that start programs or a browser, and variants
 * of a quicker test, which is named next to them. Each takes more than ten seconds of CPU time.
 */
export const leftToAll = [
  "tests/browser",
  "tests/commands/admin",
  "tests/commands/deploy",
  "tests/commands/stack",
  // tests/upgrade/release_test.ts compares what is released.
  "tests/upgrade/upgrade_test.ts",
  // The push of the CLI; every other test of the database applies the same migrations.
  "tests/database/migrations_test.ts",
  // Libraries and programs that read the streams: tests/http/reply_forms_test.ts.
  "tests/http/ai_sdk_test.ts",
  "tests/http/terminal_test.ts",
  // Kinds of files: tests/http/upload_test.ts and shared/libs/documents/read_passages_*_test.ts.
  "tests/http/documents_test.ts",
  // Words and habits of model servers: tests/http/model_failures_test.ts and shared/libs/llm/{failure,model_error,read_reply}_test.ts.
  "tests/http/model_errors_test.ts",
  "tests/http/model_servers_test.ts",
  "tests/http/model_streams_test.ts",
  // Documents that are made to keep the reader busy: shared/libs/documents/read_passages_*_test.ts.
  "shared/libs/documents/hostile_documents_test.ts",
];

/** Files that `npm run test:all` also leaves out, to `npm run test:night`, next to the quicker test of the promise. */
export const leftToNight = [
  // promptfoo, which is installed for it: tests/commands/tools/test_files_test.ts.
  "tests/http/promptfoo_test.ts",
  // Mixed traffic: tests/http/{crash,outages}_test.ts.
  "tests/http/soak_test.ts",
  "tests/commands/bench",
  // A dozen whole deployments: tests/commands/deploy/{deploy,smoke,upgrade}_test.ts.
  "tests/commands/deploy/npm_deploy_test.ts",
  // Pictures for people, of places that tests/browser/{chat_looks,desk_states,consent_looks}_test.ts look at.
  "tests/browser/screenshots_test.ts",
];
