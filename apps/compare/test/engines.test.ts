import { describe, expect, it } from 'vitest';
import { runHere } from './run-here.ts';

describe('engines', () => {
  it('lists the built-in engines with the prompt sizes that trigger them', async () => {
    const { code, stdout } = await runHere(['engines'], { cwd: '/' });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^compressor +[\d,]+ +[\d,]+ +[\d,]+ +[\d,]+ +none$/m);
    expect(stdout).toMatch(/^prune-compact /m);
  });

  it('prints them as JSON', async () => {
    const { version, engines } = JSON.parse((await runHere(['engines', '--json'], { cwd: '/' })).stdout);
    expect(version).toBe(1);
    for (const { thresholds } of engines)
      for (const [window, threshold] of Object.entries(thresholds)) {
        expect(threshold).toBeGreaterThan(0);
        expect(threshold).toBeLessThan(Number(window));
      }
  });
});

describe('help', () => {
  it.each(['compare', 'inspect', 'compress', 'redact', 'engines'])('of %s has examples', async (command) => {
    const { code, stdout, stderr } = await runHere([command, '--help'], { cwd: '/' });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`Examples:\\n.*palimpsest ${command}`));
  });
});
