import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Memory and external imports of the root entry of `tokens`. The `sizes` section reports its bundle size. */
export interface Footprint {
  /** Heap in bytes after counting in two encodings. */
  readonly heapBytes: number;
  readonly outsideImports: readonly string[];
}

const entry = fileURLToPath(new URL('../../../../packages/tokens/src/index.ts', import.meta.url));

/** Bundles the root entry and loads the bundle in a separate process. */
export async function footprint(): Promise<Footprint> {
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    outfile: 'index.mjs',
    format: 'esm',
    // With the neutral platform, importing a Node built-in fails the build.
    platform: 'neutral',
    conditions: ['palimpsest-source'],
  });
  const code = outputFiles[0]!.text;
  const outsideImports = Object.values(metafile.outputs).flatMap((output) => output.imports.map((one) => one.path));
  const script = `
    const used = () => { gc(); gc(); const m = process.memoryUsage(); return m.heapUsed + m.arrayBuffers; };
    const source = Buffer.from(process.env.BUNDLE, 'base64').toString();
    const before = used();
    const { createTokenCounter } = await import('data:text/javascript;base64,' + Buffer.from(source).toString('base64'));
    const counters = ['o200k_base', 'claude'].map((encoding) => createTokenCounter({ encoding }));
    for (const counter of counters) for (let at = 0; at < 2000; at++) counter.countText('some text to count ' + at);
    console.log(used() - before);`;
  const output = execFileSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', script], {
    encoding: 'utf8',
    env: { ...process.env, BUNDLE: Buffer.from(code).toString('base64') },
  });
  return { heapBytes: Number(output), outsideImports };
}
