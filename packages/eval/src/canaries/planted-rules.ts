import { isFromPerson } from '@palimpsest/agents';
import { contentText, isSystem, type Message } from '@palimpsest/core';

/**
 * Standing rules in the words of users. The last six were added after the recognizer was finished, which was not changed
 * for them.
 */
const rules: readonly string[] = [
  'Never touch anything under vendor/.',
  'Ändere niemals die Datei schema.sql.',
  'Do not add new dependencies without asking me first.',
  '必ず日本語で返事をしてください。',
  'Always run the linter before you tell me that something is done.',
  'Ne modifie jamais les fichiers du dossier config.',
  'Please use tabs for indentation in every file you write.',
  '不要修改 assets 目录里的任何文件。',
  'Under no circumstances push to the main branch.',
  'Nunca borres nada de la carpeta datos.',
  'I want every commit message to be in English.',
  'Никогда не трогай файл deploy.yml.',
  'You are not allowed to read the .env file.',
  'Não altere nada na pasta public.',
  'No emoji in code or comments, please.',
  '절대로 main 브랜치에 직접 푸시하지 마세요.',
  'Compact your answers under ten lines.',
  'Non toccare mai i file di configurazione.',
  'The old API has to keep working the whole time.',
  'Antworte mir bitte immer auf Deutsch.',
  'Wijzig nooit de bestanden in de map assets.',
  'Réponds-moi toujours en français.',
  'Nigdy nie zmieniaj plików w katalogu assets.',
  'لا تعدل أي ملف في مجلد assets أبدا.',
  'Stay away from the legacy folder.',
  'Comments are written in English only.',
  'Bitte duze mich in deinen Antworten.',
  'Nothing gets deleted without my okay.',
  'The release branch is off limits.',
  'Use pnpm, npm breaks the lock file.',
  'Leave the public API as it is.',
  'Money is counted in whole cents, everywhere.',
  'Die Tests laufen nur mit Node 20.',
  'Nothing goes to production without my review.',
  'Pas de commentaires en anglais dans le code.',
  'One commit for each step, no squashing.',
];

/** A transcript with planted rules, and those rules. */
export interface Planted {
  readonly messages: readonly Message[];
  readonly rules: readonly string[];
}

/**
 * Plants four rules early in a transcript: three in a new first turn, as a paragraph or a list, and one at the end of the
 * third message, or of the first if there are three or fewer.
 * @param number selects the rules and their phrasing
 */
export function plantRules(messages: readonly Message[], number: number): Planted {
  const own = [0, 1, 2, 3].map((at) => rules[(number * 4 + at) % rules.length]!);
  const requests = messages.flatMap((message, index) =>
    message.role === 'user' && typeof message.content === 'string' && isFromPerson(message, index, messages)
      ? [index]
      : [],
  );
  const host = requests[requests.length > 3 ? 2 : 0];
  const changed = messages.map((message, index) =>
    index === host ? { ...message, content: `${contentText(message.content)}\n\n${own[3]}` } : message,
  );
  const at = messages.findIndex((message) => !isSystem(message));
  const [first, ...others] = own.slice(0, 3);
  const text =
    number % 2 === 0
      ? `Before we start: ${first} ${others.join(' ')}`
      : `A few things that hold for all of this:\n- ${own.slice(0, 3).join('\n- ')}\n\nMore in a moment.`;
  const turnOfRules: Message[] = [
    { role: 'user', content: text },
    { role: 'assistant', content: 'Understood.' },
  ];
  return {
    messages: [...changed.slice(0, at), ...turnOfRules, ...changed.slice(at)],
    rules: host === undefined ? own.slice(0, 3) : own,
  };
}
