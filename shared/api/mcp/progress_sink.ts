import type { AnswerSink } from "../../features/chat/answer_sinks.ts";
import { countCharacters } from "../../libs/base/text.ts";
import type { CallOptions } from "./tool.ts";

/**
 * Reports an answer piece by piece while another sink receives it. The first report is empty and is sent immediately,
 * so that proxies see that the connection is in use.
 */
export function reportProgress<Sink extends AnswerSink>(sink: Sink, report: NonNullable<CallOptions["report"]>): Sink {
  let progress = 0;
  report({ progress });
  return {
    ...sink,
    write(pieces) {
      sink.write(pieces);
      const message = pieces.join("");
      progress += countCharacters(message);
      report({ progress, message });
    },
  };
}
