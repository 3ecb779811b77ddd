import { CliError } from '@palimpsest/command-line/cli-error';

type Resvg = typeof import('@resvg/resvg-js').Resvg;

/** Loads what draws an SVG as a PNG. @throws {CliError} without `@resvg/resvg-js` */
export async function loadResvg(): Promise<Resvg> {
  try {
    return (await import('@resvg/resvg-js')).Resvg;
  } catch (error) {
    throw CliError.badUsage(
      '--card with a name that ends in .png needs the package @resvg/resvg-js; run npm install @resvg/resvg-js, or name a file that ends in .svg',
      error,
    );
  }
}
