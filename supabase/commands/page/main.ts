/** `npm run page`: builds the chat page and the expert's desk for a host of static files. */
import { join } from "node:path";
import { CommandError, errorMessage, runProgram } from "../command_error.ts";
import { projectRoot } from "../../platform/state.ts";
import { readCoaches } from "./build_page.ts";
import { help, readPageSettings } from "./read_page_settings.ts";
import { writePage } from "./write_page.ts";

await runProgram(async () => {
  const command = readPageSettings(Deno.args, {
    // npm runs its scripts in the project's own folder.
    workingFolder: Deno.env.get("INIT_CWD") || Deno.cwd(),
    usualFolder: join(projectRoot, "supabase/.temp/page"),
  });
  if (command === null) console.log(help);
  else {
    const { folder, settings } = command;
    const apiKey = Deno.env.get("API_KEY");
    if (apiKey) {
      const read = (coach: string) =>
        readCoaches(settings.baseUrl, apiKey, coach).catch((error) => {
          throw new CommandError(`The coaches cannot be read with API_KEY: ${errorMessage(error)}`);
        });
      settings.personas = await read(settings.coach);
      if (settings.coach) settings.coaches = settings.personas;
    }
    await writePage(folder, settings);
    console.log(`${folder}

Put these files on any static host, such as Netlify, Cloudflare Pages, Vercel or your own server. Its address
must be one of the key's origins. The expert's desk is at desk/, the consent page for AI clients at
oauth/consent/. The HTTP headers are in _headers, vercel.json, .htaccess and headers.nginx.conf.`);
  }
});
