import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Message-sized texts of one transcript. */
export interface TranscriptTexts {
  readonly id: string;
  readonly texts: readonly string[];
}

interface Stored {
  readonly messages: readonly {
    readonly content?: string | readonly { readonly text?: string }[] | null;
    readonly reasoning_content?: string | null;
    readonly tool_calls?: readonly { readonly function?: { readonly arguments?: string } }[] | null;
  }[];
}

/** Reads contents, reasoning and tool arguments of at least 300 characters from `<dataFolder>/transcripts`. */
export function readTranscriptTexts(dataFolder: string): TranscriptTexts[] {
  const folder = join(dataFolder, 'transcripts');
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => name.endsWith('.json') && name !== 'INDEX.json');
  return files.sort().map((name) => {
    const { messages } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Stored;
    const texts = messages.flatMap(({ content, reasoning_content: reasoning, tool_calls: calls }) => [
      reasoning,
      ...(Array.isArray(content)
        ? content.map((part: { text?: string } | null) => part?.text)
        : [content as string | null]),
      ...(calls ?? []).map((call) => call.function?.arguments),
    ]);
    const long = texts.filter(
      (text): text is string => typeof text === 'string' && text.length >= 300 && !text.includes(';base64,'),
    );
    return { id: name.replace(/\.json$/, ''), texts: long };
  });
}
