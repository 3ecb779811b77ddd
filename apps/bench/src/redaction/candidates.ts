import { createRequire } from 'node:module';
import { OpenRedaction } from '@openredaction/openredaction';
import { redact } from '@palimpsest/redactor';
import { lintSource } from '@secretlint/core';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';
import { readInstalledVersion } from '../read-installed-version.ts';

// This package ships no types.
const require = createRequire(import.meta.url);
const { redactLog } = require('@npmcli/redact') as { redactLog(text: string): string };

/** A library that masks secrets. */
export interface Candidate {
  readonly name: string;
  readonly version: string;
  redact(text: string): string | Promise<string>;
}

const secretlintConfig = {
  rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator, options: {} }],
};

/** Masks the ranges that secretlint reports, to make its results comparable. */
async function maskBySecretlint(text: string): Promise<string> {
  const { messages } = await lintSource({
    source: { content: text, filePath: 'text.txt', ext: '.txt', contentType: 'text' },
    options: { config: secretlintConfig, noPhysicFilePath: true },
  });
  let result = text;
  for (const { range } of [...messages].sort((a, b) => b.range[0] - a.range[0])) {
    result = `${result.slice(0, range[0])}***${result.slice(range[1])}`;
  }
  return result;
}

const openRedaction = new OpenRedaction({
  includeNames: false,
  includeAddresses: false,
  includePhones: false,
  includeEmails: false,
});

/** All compared redactors, ours first. */
export const candidates: readonly Candidate[] = [
  { name: '@palimpsest/redactor', version: 'this commit', redact: (text) => redact(text) },
  {
    name: '@secretlint preset-recommend',
    version: readInstalledVersion('@secretlint/secretlint-rule-preset-recommend'),
    redact: maskBySecretlint,
  },
  { name: '@npmcli/redact', version: readInstalledVersion('@npmcli/redact'), redact: (text) => redactLog(text) },
  {
    name: '@openredaction/openredaction',
    version: readInstalledVersion('@openredaction/openredaction'),
    redact: (text) => openRedaction.detect(text).redacted,
  },
];
