import type { Workspace } from '../../workspace.ts';

const DAY = Date.parse('2025-02-18T13:30:00Z');
const MINUTE = 60_000;
/** At 14:03, a configuration reload shrinks the payment service's connection pool from 20 to 2. At 14:41 it is undone. */
const BROKEN = [33 * MINUTE, 71 * MINUTE] as const;
const ROUTES = ['/products', '/products/search', '/cart', '/cart/items', '/account', '/static/app.js', '/checkout'];
const CUSTOMERS = 420;

/** A seeded generator of pseudo-random numbers (mulberry32), so that every recording has the same logs. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Writes two hours of logs of a shop: of a gateway, a payment service, a worker, and of deployments. */
export async function writeLogs(workspace: Workspace): Promise<void> {
  const random = randomFrom(20_250_218);
  const gateway: string[] = [];
  const payments: string[] = [];
  const worker: string[] = [];
  let order = 81_200;
  for (let offset = 0; offset < 120 * MINUTE; offset += Math.round(500 + random() * 2_400)) {
    const time = stamp(offset);
    const broken = offset > BROKEN[0] && offset < BROKEN[1];
    const route = random() < 0.14 ? '/checkout' : ROUTES[Math.floor(random() * (ROUTES.length - 1))]!;
    const request = Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
    const node = `gw-${1 + Math.floor(random() * 3)}`;
    if (route !== '/checkout') {
      const slow = route === '/products/search' && random() < 0.12;
      const status = random() < 0.004 ? 404 : random() < 0.03 ? 304 : 200;
      const took = Math.round(slow ? 1_800 + random() * 2_500 : 4 + random() * 90);
      gateway.push(`${time} ${node} GET ${route} ${status} ${took}ms req=${request}`);
      continue;
    }
    order += 1;
    const customer = `c-${1_000 + Math.floor(random() * CUSTOMERS)}`;
    const wait = broken ? Math.round(900 + random() * 42_000) : Math.round(random() * 25);
    const late = wait > 30_000;
    const base = { req: request, order: `o-${order}`, customer };
    const pool = broken
      ? { size: 2, used: 2, queued: Math.round(wait / 1_700) }
      : { size: 20, used: 1 + Math.floor(random() * 6), queued: 0 };
    if (broken) payments.push(json(offset + 2, 'warn', 'waiting for a connection', { ...base, pool }));
    const amount = Math.round(900 + random() * 18_000);
    const charged = offset + wait + Math.round(120 + random() * 300);
    payments.push(json(charged, 'info', 'charged', { ...base, amount, attempt: 1, waited_ms: wait, pool }));
    if (!late) {
      gateway.push(
        `${time} ${node} POST /checkout 201 ${charged - offset}ms req=${request} customer=${customer} order=o-${order}`,
      );
      continue;
    }
    gateway.push(
      `${time} ${node} POST /checkout 502 30004ms req=${request} customer=${customer} order=o-${order} upstream=payments reason="upstream timed out"`,
    );
    const again = offset + 31_000 + Math.round(random() * 9_000);
    worker.push(
      `${stamp(offset + 30_010)} ERROR order o-${order}: payment not confirmed\nTimeoutError: no answer from payments within 30000 ms\n    at PaymentClient.charge (/srv/worker/lib/payment-client.js:88:13)\n    at async confirm (/srv/worker/lib/confirm-order.js:41:20)\n    at async Worker.handle (/srv/worker/lib/worker.js:117:5)`,
      `${stamp(again)} INFO  order o-${order}: trying again with a new request (attempt 2)`,
    );
    // A third of the retries reach the payment service while the first attempt is still waiting: charged twice.
    if (random() < 0.35) {
      payments.push(
        json(again + wait, 'info', 'charged', {
          ...base,
          req: request.split('').reverse().join(''),
          amount,
          attempt: 2,
          waited_ms: wait,
          pool,
        }),
      );
      worker.push(`${stamp(again + wait + 90)} INFO  order o-${order}: confirmed on attempt 2`);
    } else worker.push(`${stamp(again + 30_050)} ERROR order o-${order}: given up after 2 attempts`);
  }
  const byTime = (a: string, b: string) => (a < b ? -1 : 1);
  const chargeTime = (line: string) => line.slice(6, 30);
  payments.sort((a, b) => byTime(chargeTime(a), chargeTime(b)));
  // The service was killed while it wrote, so one line is cut off.
  payments.splice(Math.floor(payments.length * 0.62), 0, payments[50]!.slice(0, 71));
  await workspace.put('logs/gateway.log', `${gateway.sort(byTime).join('\n')}\n`);
  await workspace.put('logs/payments.jsonl', `${payments.join('\n')}\n`);
  await workspace.put('logs/worker.log', `${worker.sort(byTime).join('\n')}\n`);
  await workspace.put('logs/deploy.log', DEPLOYMENTS);
}

const DEPLOYMENTS = `2025-02-18T13:41:07.118Z deploy search 4.12.0 -> 4.12.1 (canary 10%)
2025-02-18T13:52:30.004Z deploy search 4.12.1 (100%)
2025-02-18T13:58:12.771Z certificate of static.shop.example renewed, valid until 2025-05-19
2025-02-18T14:02:58.230Z config payments: reload requested by config-sync, revision 7741 -> 7742
2025-02-18T14:03:00.019Z config payments: applied revision 7742 (3 keys: log.level, pool.max, pool.idleTimeout)
2025-02-18T14:16:44.902Z deploy gateway 9.3.2 -> 9.3.3 (header size)
2025-02-18T14:29:10.551Z scale worker 2 -> 6
2025-02-18T14:40:51.377Z config payments: reload requested by on-call, revision 7742 -> 7741
2025-02-18T14:41:00.006Z config payments: applied revision 7741
2025-02-18T15:10:22.640Z scale worker 6 -> 2
`;

function stamp(offset: number): string {
  return new Date(DAY + offset).toISOString();
}

function json(offset: number, level: string, msg: string, rest: object): string {
  return JSON.stringify({ t: stamp(offset), level, msg, ...rest });
}
