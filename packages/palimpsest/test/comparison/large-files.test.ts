import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { claudeCodeLog, codexLog } from './logs.ts';
import { runCli } from './run-cli.ts';
import { scratchFolder } from './scratch.ts';
import { session } from './session.ts';

const folder = scratchFolder();

/** Writes transcripts, one a line, until the file holds so many bytes. @returns how many */
function writeTranscripts(name: string, bytes: number): number {
  const line = `${JSON.stringify(session(150))}\n`;
  const wanted = Math.ceil(bytes / line.length);
  writeFileSync(`${folder.path}/${name}`, '');
  for (let done = 0; done < wanted; done += 20)
    appendFileSync(`${folder.path}/${name}`, line.repeat(Math.min(20, wanted - done)));
  return wanted;
}

describe.skipIf(!process.env.PALIMPSEST_DEEP)('large files', () => {
  it('a file of 200 MB with one transcript a line is inspected in a heap of 128 MB', async () => {
    const wanted = writeTranscripts('many.jsonl', 200e6);
    const ran = await runCli(['inspect', 'many.jsonl', '--top', '1'], { cwd: folder.path, heapMegabytes: 128 });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout.match(/^many#\d+ {2}/gm)).toHaveLength(wanted);
  });

  it('a file of 100 MB is compared, page and all, in a heap of 256 MB', async () => {
    const wanted = writeTranscripts('some.jsonl', 100e6);
    const ran = await runCli(['compare', 'some.jsonl', '--html', 'some.html', '--engine', 'prune-compact'], {
      cwd: folder.path,
      heapMegabytes: 256,
    });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout.match(/^some#\d+(?: {2}|$)/gm)).toHaveLength(wanted);
  });

  it('a folder of 100 MB of sessions of coding agents is inspected in a heap of 128 MB', async () => {
    mkdirSync(`${folder.path}/sessions`);
    const logs = [claudeCodeLog(session(500), 'claude'), codexLog(session(500), 'codex')];
    let bytes = 0;
    let files = 0;
    for (; bytes < 100e6; files++) {
      const log = logs[files % 2]!;
      writeFileSync(`${folder.path}/sessions/${files}.jsonl`, log);
      bytes += log.length;
    }
    const ran = await runCli(['inspect', 'sessions', '--top', '1'], { cwd: folder.path, heapMegabytes: 128 });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout.match(/^(?:claude|codex) {2}/gm)).toHaveLength(files);
  });

  it('a 100 MB log with little conversation is read in a heap of 96 MB', async () => {
    const shown = { type: 'progress', sessionId: 'claude', data: { output: 'x'.repeat(50_000) } };
    const line = `${JSON.stringify(shown)}\n`;
    writeFileSync(`${folder.path}/noisy.jsonl`, claudeCodeLog(session(5), 'claude'));
    for (let at = 0; at < 100e6 / line.length; at += 20) appendFileSync(`${folder.path}/noisy.jsonl`, line.repeat(20));
    const ran = await runCli(['inspect', 'noisy.jsonl'], { cwd: folder.path, heapMegabytes: 96 });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
  });
});
