import { createMailerApp } from "../../shared/features/mailer/app.ts";
import { createCoreServices } from "../../shared/core/core_services.ts";

Deno.serve(createMailerApp(createCoreServices()).fetch);
