/** A paragraph of each kind of text with a documented accuracy, written for this test. */

const seeded = (seed: number) => (): number => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 4294967296;
};
const next = seeded(7);
const bytes = Uint8Array.from({ length: 900 }, () => Math.floor(next() * 256));

export const texts: Readonly<Record<string, string>> = {
  prose: `The lighthouse keeper had not spoken to anyone for eleven days when the supply boat finally came round the point. He
put the kettle on before it had even tied up, because the captain liked her tea strong and would not stay long with the wind
turning. She brought flour, paraffin, two letters and a rumour: the harbour was going to be dredged, and with it would come
larger ships, brighter lights, and in the end a switch in an office somewhere that would make keepers unnecessary.`,
  code: `export function mergeIntervals(intervals: readonly Interval[]): Interval[] {
  const sorted = [...intervals].sort((a, b) => a.start - b.start);
  const merged: Interval[] = [];
  for (const interval of sorted) {
    const last = merged[merged.length - 1];
    if (last && interval.start <= last.end) {
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, interval.end) };
    } else {
      merged.push(interval);
    }
  }
  return merged;
}`,
  python: `class RateLimiter:
    """Allows a number of calls per second, and tells how long to wait for the next."""

    def __init__(self, rate: float, burst: int = 10) -> None:
        self.rate = rate
        self.tokens = float(burst)
        self.updated_at = time.monotonic()

    def acquire(self, amount: int = 1) -> float:
        now = time.monotonic()
        self.tokens = min(self.burst, self.tokens + (now - self.updated_at) * self.rate)
        if self.tokens >= amount:
            self.tokens -= amount
            return 0.0
        return (amount - self.tokens) / self.rate`,
  json: JSON.stringify(
    Array.from({ length: 8 }, (_, at) => ({
      id: 4000 + at * 17,
      name: `worker-${at}`,
      status: at % 3 ? 'running' : 'failed',
      cpu: at * 1.25,
      labels: ['batch', 'eu-west-1'],
      restarts: at,
    })),
    null,
    2,
  ),
  log: Array.from(
    { length: 12 },
    (_, at) =>
      `2024-11-0${(at % 9) + 1}T08:1${at % 6}:4${at % 10}.${100 + at * 37}Z INFO  [scheduler] job=${7000 + at * 131} queue=default attempt=${at % 4} duration=${at * 83}ms status=ok`,
  ).join('\n'),
  diff: `--- a/src/cache.ts
+++ b/src/cache.ts
@@ -41,9 +41,12 @@ export class Cache<K, V> {
   get(key: K): V | undefined {
-    const entry = this.entries.get(key);
-    if (!entry) return undefined;
+    const entry = this.entries.get(key);
+    if (entry === undefined) {
+      this.misses++;
+      return undefined;
+    }
     if (entry.expiresAt < this.clock.now()) {
       this.entries.delete(key);
       return undefined;`,
  base64: Buffer.from(bytes).toString('base64'),
  hex: Buffer.from(bytes).toString('hex'),
  emoji: Array.from(
    { length: 90 },
    (_, at) => ['😀', '🚀', '✅', '🔥', '❤️', '👍🏽', '🎉', '⚠️', '🐛'][(at * 5) % 9],
  ).join(' '),
  chinese: `灯塔看守人已经十一天没有和任何人说话了，补给船才终于绕过海角驶来。船还没有靠岸，他就把水烧上了，因为船长喜欢喝浓茶，而且风向正在转变，她不会停留太久。她带来了面粉、煤油、两封信和一个传闻：港口将要疏浚，之后会有更大的船、更亮的灯，最后某个办公室里的一个开关就会让看守人变得多余。请检查配置文件，然后重新启动服务器，并把错误日志发给我们。`,
  japanese: `灯台守は十一日間、誰とも話をしていなかった。補給船がようやく岬を回ってきたとき、船が繋がれる前に彼はやかんを火にかけた。船長は濃いお茶が好きで、風が変わりかけているから長くはいられないだろう。彼女は小麦粉と灯油、二通の手紙、それから噂を一つ運んできた。設定ファイルを確認してから、サーバーを再起動してください。`,
  korean: `등대지기는 보급선이 마침내 곶을 돌아올 때까지 열하루 동안 아무와도 말을 하지 않았다. 배가 닿기도 전에 그는 주전자를 올려놓았다. 선장은 진한 차를 좋아했고 바람이 바뀌고 있어서 오래 머물지 않을 것이기 때문이었다. 설정 파일을 확인한 다음 서버를 다시 시작하고 오류 기록을 보내 주세요.`,
  russian: `Смотритель маяка одиннадцать дней ни с кем не разговаривал, когда наконец из-за мыса показалась лодка с припасами. Он поставил чайник ещё до того, как она причалила, потому что капитан любила крепкий чай и не осталась бы надолго при такой перемене ветра. Проверьте файл настроек, затем перезапустите сервер и пришлите нам журнал ошибок.`,
  arabic: `لم يتحدث حارس المنارة مع أحد منذ أحد عشر يوما عندما وصل قارب المؤن أخيرا من خلف الرأس. وضع الإبريق على النار قبل أن يرسو القارب، لأن القبطانة تحب الشاي الثقيل ولن تبقى طويلا والريح تتغير. يرجى التحقق من ملف الإعدادات ثم إعادة تشغيل الخادم وإرسال سجل الأخطاء إلينا.`,
  hindi: `जब रसद की नाव आखिरकार अंतरीप के पास से आई, तब तक प्रकाशस्तंभ के रखवाले ने ग्यारह दिनों से किसी से बात नहीं की थी। नाव के बंधने से पहले ही उसने केतली चढ़ा दी, क्योंकि कप्तान को तेज चाय पसंद थी और हवा बदल रही थी। कृपया सेटिंग फ़ाइल की जाँच करें, फिर सर्वर को फिर से चालू करें और हमें त्रुटि की सूची भेजें।`,
  thai: `ผู้ดูแลประภาคารไม่ได้พูดกับใครมาสิบเอ็ดวันแล้ว เมื่อเรือเสบียงแล่นอ้อมแหลมมาในที่สุด เขาตั้งกาน้ำก่อนที่เรือจะเทียบท่าเสียอีก เพราะกัปตันชอบชาเข้มๆ และคงอยู่ไม่นานเพราะลมกำลังเปลี่ยนทิศ โปรดตรวจสอบไฟล์การตั้งค่า แล้วเริ่มเซิร์ฟเวอร์ใหม่ และส่งบันทึกข้อผิดพลาดมาให้เรา`,
  german: `Der Leuchtturmwärter hatte seit elf Tagen mit niemandem gesprochen, als das Versorgungsboot endlich um die Landspitze kam. Er setzte das Wasser auf, noch bevor es festgemacht hatte, denn die Kapitänin mochte ihren Tee stark und würde bei dem umschlagenden Wind nicht lange bleiben. Bitte prüfen Sie die Konfigurationsdatei und starten Sie den Server neu.`,
  french: `Le gardien du phare n'avait parlé à personne depuis onze jours lorsque le bateau de ravitaillement finit par doubler la pointe. Il mit l'eau à chauffer avant même qu'il ne fût amarré, car la capitaine aimait son thé fort et ne resterait pas longtemps avec ce vent qui tournait. Veuillez vérifier le fichier de configuration, puis redémarrer le serveur.`,
  spanish: `El guardián del faro llevaba once días sin hablar con nadie cuando por fin el barco de suministros dobló el cabo. Puso el agua a calentar antes de que atracara, porque a la capitana le gustaba el té fuerte y no se quedaría mucho tiempo con el viento cambiando. Compruebe el archivo de configuración y reinicie el servidor.`,
};
