import { appendFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
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
    expect(ran.stdout.match(/^some#\d+ {2}/gm)).toHaveLength(wanted);
  });
});
