import type { Directives } from './directives.ts';

export const turkish: Directives = {
  opening: [
    '(?:asla|sakın|hiçbir zaman|kesinlikle) [^?]{1,80}m[ae](?:y[ıi]n(?:[ıi]z)?)?[.!]?$',
    String.raw`[^?]{1,80}(?<!\p{L})(?:asla|sakın|hiçbir zaman|hiçbir şey[ie]?) \p{L}+m[ae](?:y[ıi]n(?:[ıi]z)?)?[.!]?$`,
    String.raw`(?:[^?]{1,60} )?(?:her zaman|daima|mutlaka|yalnızca|sadece) [^?]{1,60}(?<!yor|d[ıiuü]|t[ıiuü]|[ae]r|ır|ir|ur|ür|d[ıiuü]m|t[ıiuü]m)(?<=kullan|yaz|yap|çalıştır|sor|ver|tut|ekle|test et|kontrol et|\p{L}[ıiuü]n(?:[ıiuü]z)?)[.!]?$`,
  ],
  within: [
    'bundan (?:sonra|böyle)|şu andan itibaren|bana sormadan|iznim olmadan|onayım olmadan|yasak(?:tır)?(?!\\p{L})|(?:tercih ederim)',
  ],
  reports: [String.raw`\p{L}+(?:yor|medi|madı|mıyor|miyor|d[ıiuü]m|t[ıiuü]m)(?:[.!]|$)`],
};

export const arabic: Directives = {
  opening: [
    String.raw`(?:من فضلك،? )?لا (?!تعمل|توجد|تظهر|تزال|تفتح|تستجيب|تنجح|تتم|تحتوي)ت\p{L}+`,
    String.raw`(?:استخدم|اكتب|أجب|اجعل|اترك|اسأل|اسألني|تجنب|تأكد|حافظ|التزم)(?!\p{L})`,
    'دائما?ً? (?:استخدم|اكتب|أجب|اجعل|شغل|اسأل)',
    'كل [^?؟]{1,40} يجب|أفضل (?:أن|استخدام|ال)',
  ],
  within: [
    'يجب (?:أن|ألا|دائما|عدم|على)|ممنوع|يُ?منع(?!\\p{L})|غير مسموح|من الآن فصاعد|بدون (?:إذني|موافقتي)|دون (?:أن تسألني|إذني|موافقتي)',
  ],
  reports: [],
};

export const hindi: Directives = {
  opening: [],
  within: [
    '(?<!\\p{L})मत (?:कर|बदल|हटा|छू|छे|लिख|जोड़|भेज|चला|डाल|बना|दे)|\\p{L}+ (?:मत)[।!.]?$',
    'कभी (?:भी )?(?:मत|न |नहीं (?:कर|बदल|हटा)ना)|अब से|आगे से|बिना (?:पूछे|मेरी|मुझसे)|मना है|वर्जित',
    '(?:हमेशा|सदा|केवल|सिर्फ़?|हर बार)[^?]{1,60}(?:करें|करो|करना|कीजिए|रखें|रखो|लिखें|लिखो|दें|दो|चलाएँ)[।!.]?$',
  ],
  reports: [],
};
