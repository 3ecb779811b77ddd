import type { Directives } from './directives.ts';

// Negation alone is often a report ("no funciona"), so it counts only with an imperative form of the verb.

const frenchVerb =
  '(?:utilis|répond|écri|gard|fai|met|demand|vérifi|lanc|exécut|comment|nomm|laiss|évit|rest|parl|respect|sui|limit|préfér|conserv|rédig|travaill|document|expliqu|traduis|traite|ajout|indiqu|cit|test)(?:e|es|s|ez|vez|vs|tes|t|ds|is|sez)?(?:-(?:moi|le|la|les|nous))?';

export const french: Directives = {
  opening: [
    String.raw`(?:ne |n['’](?!est|oubli|hésit))(?:me |le |la |les |l['’]|y |en )?(?:\p{L}+)(?:-\p{L}+)? (?:pas|jamais|rien|plus|aucune?|que)(?!\p{L})`,
    String.raw`on ne (?!(?:comprend|sait|voit|peut|trouve|arrive|reçoit|a|est)(?!\p{L}))\p{L}+ (?:pas|jamais|rien|plus)(?!\p{L})`,
    `${frenchVerb} [^?]{1,60} (?:au lieu d(?:e |['’])|plutôt qu)`,
    String.raw`écri[rstvez]+ [^?]{0,40}(?<!\p{L})en \p{L}+`,
    String.raw`(?:ne (?:jamais|pas|plus|rien)|toujours|jamais|uniquement|seulement) (?:me |le |la |les |l['’]|y |en )?\p{L}+(?:er|ir|re)(?!\p{L})`,
    String.raw`${frenchVerb} (?:[^?]{0,60} )?(?:toujours|uniquement|seulement|exclusivement|systématiquement|tel(?:le)?s? quel(?:le)?s?|intacte?s?|partout)(?!\p{L})`,
    'évite[rz]? |veille[rz]? à |(?:tutoie|vouvoie)[rz]?|reste[rz]? (?:sur|dans|en|bref)|assure[rz]?[- ](?:toi|vous)|sois |soyez ',
    String.raw`(?:demande[rz]?|préviens|prévenez|consulte[rz]?|avertis)(?:-(?:moi|nous))?(?!\p{L})[^?]{0,40}(?:avant|d['’]abord)(?!\p{L})`,
    String.raw`(?:répond|écri|parle|rédige)\p{L}*(?:-moi)?(?!\p{L})[^?]{0,40}(?<!\p{L})en \p{L}+`,
    String.raw`(?:pas d(?:e |['’])|jamais d(?:e |['’])|plus d(?:e |['’]))(?!(?:problème|souci|changement|réponse|erreur|résultat|nouvelle|chance|sortie|panique|différence|idée|quoi)\p{L}*)(?!.{0,80}(?<!\p{L})(?:est|sont|était|a|ont)(?!\p{L}))\p{L}`,
    String.raw`(?:aucune?|rien|personne)(?!\p{L})[^?]{1,60}(?<!\p{L})(?:(?:ne )?(?:doit|doivent|peut|peuvent) |sans (?:mon|ma|notre|me|passer|test|relecture))`,
    String.raw`(?:chaque|tous les|toutes les|tout|toute)(?!\p{L})[^?]{1,60}(?<!\p{L})(?:doit|doivent)(?!\p{L})`,
    String.raw`(?:avant|après|à) chaque [^?]{1,40}, ?\p{L}`,
    "je (?:préfère|préférerais)|je (?:veux|souhaite|voudrais) (?:que (?:tout|tous|toutes|chaque|tu|vous)|uniquement|seulement|toujours)|je ne veux (?:pas|plus|aucun|jamais)|je n['’]aime pas (?:les|qu)|je déteste ",
  ],
  within: [
    "désormais|dorénavant|à partir de maintenant|dès maintenant|à l[’']avenir|en aucun cas|sous aucun prétexte|jusqu[’']à nouvel ordre",
    'ne (?:doit|doivent|dois|devez|faut|peut|peuvent) (?:pas|jamais|rien|plus|être)(?! (?:être normal|se produire|arriver))|faut (?:toujours|jamais|surtout|que (?:tout|tous|chaque))|(?:doit|doivent|dois|devez) (?:toujours|impérativement|rester|respecter|être (?:rédigé|écrit|nommé|testé|documenté|toujours|en))',
    String.raw`interdite?s?(?!\p{L})|hors limites|sans (?:mon (?:accord|avis|autorisation)|ma permission|me (?:demander|consulter|prévenir)|demander)`,
  ],
  reports: [
    String.raw`(?:ça|ceci|cela|elle|il|on) (?:ne |n['’])?(?:marche|fonctionne|plante|est|était|a|reste|semble|affiche|échoue)(?!\p{L})|je (?:ne )?(?:comprends|sais|vois|peux|crois|pense)(?!\p{L})|j['’](?:ai|avais|étais)|je n['’](?:ai|arrive)|il faut (?!(?:toujours|jamais|que (?:tout|tous|chaque)))`,
  ],
};

const spanishVerb =
  '(?:usa|utiliza|responde|escribe|haz|pon|ejecuta|comenta|pregunta|mantén|añade|agrega|deja|trabaja|revisa|formatea|sigue|pide|habla|nombra|guarda|crea|verifica|comprueba|explica|toca|cambia|modifica|edita|documenta|corre|consulta|use|utilice|responda|escriba|haga|ponga|ejecute|mantenga|deje|siga|pida|consulte)';
/** Verbs in the subjunctive, which states a prohibition; the indicative reports. */
const spanishForbidden =
  '(?!(?:tienes|puedes|haces|quieres|sabes|entiendes|eres|vienes|respondes|crees|pareces|debes|es|las|pues|antes|entonces)(?!\\p{L}))(?:\\p{L}{2,}(?:es|as)|(?:modifi|to|expli|publi|apli)que|cambie|borre|elimine|use|utilice|agregue|añada|haga|escriba|ejecute|instale|suba|ponga|edite|mezcle|deje|mueva|renombre|envíe|responda|traduzca|cree|suponga|comente|incluya)';

export const spanish: Directives = {
  opening: [
    String.raw`(?:nunca|jamás|nunca más|no (?:me|lo|la|los|las|le)) ${spanishForbidden}(?!\p{L})`,
    // Many English plurals have these endings, so a Spanish word must follow an unknown verb.
    String.raw`no ${spanishForbidden}(?= (?:el|las?|los?|una?|nada|nadie|ning\p{L}+|mis?|tus?|sus?|nuestr\p{L}+|est[aeo]s?|más|en|con|del?|al?|por|para|sin|directamente|nunca|ni)(?!\p{L}))`,
    String.raw`no (?:uses|hagas|toques|cambies|borres|escribas|pongas|añadas|agregues|modifiques|elimines|edites|ejecutes|instales|subas|menciones|traduzcas|expliques|respondas|inventes|asumas|supongas|incluyas|muevas|renombres|modifique|toque|utilice|elimine|agregue|añada|escriba|ejecute|instale)(?!\p{L})`,
    `${spanishVerb} [^?]{1,60} en (?:lugar|vez) de |[^?]{2,40} van? (?:siempre )?en (?:inglés|español|minúsculas|mayúsculas)`,
    String.raw`${spanishVerb}(?:me|lo|la|los|las)?(?!\p{L})(?: [^?]{0,60})?(?<!\p{L})(?:siempre|nunca|s[oó]lo|solamente|únicamente|intact[oa]s?|tal (?:cual|como)|exclusivamente)(?!\p{L})`,
    String.raw`(?:siempre|s[oó]lo|solamente|únicamente) ${spanishVerb}(?!\p{L})`,
    String.raw`evita(?! (?:que se (?:rompa|caiga)))(?!\p{L})|evite |prefiero |prefiere |tutéame|trátame|asegúrate de|procura `,
    String.raw`(?:pregúnt|consúlt|avís|preg[uú]nt|consult|avis)(?:ame|eme|anos|a|e)(?!\p{L})[^?]{0,40}(?:antes|primero)(?!\p{L})`,
    String.raw`(?:respond|respónd|escrib|escríb|habl|hábl|contest|contést)\p{L}*(?!\p{L})[^?]{0,40}(?<!\p{L})en (?:español|inglés|\p{L}+és|\p{L}+án|menos|una|pocas)`,
    String.raw`(?:nada|ni uno solo) de |sin (?!(?:embargo|duda|problema|éxito|suerte|resultado|cambios)\p{L}*)[^?,]{2,30}, por favor`,
    String.raw`(?:ningún|ninguna|nada|nadie)(?!\p{L})[^?]{1,60}(?<!\p{L})(?:debe|puede|sin (?:mi|preguntar|permiso|revisión))(?!\p{L})`,
    String.raw`(?:cada|tod[oa]s? l[oa]s?)(?!\p{L})[^?]{1,60}(?<!\p{L})(?:debe|deben|tiene que|tienen que|necesita|lleva)(?!\p{L})`,
    String.raw`quiero que (?:todo|toda|cada|siempre|nunca)|no quiero (?:que|ning|m[aá]s|nada|\p{L}+s(?!\p{L}))|odio (?!este|esta|esto)`,
    String.raw`(?:antes|después) de cada [^?]{1,40}, ?\p{L}`,
  ],
  within: [
    'a partir de (?:ahora|hoy)|de ahora en adelante|en adelante|bajo ningún concepto|bajo ninguna circunstancia|en ningún caso|hasta nuevo aviso',
    'deb(?:e|en|es|éis) (?:siempre|nunca|solo|sólo|seguir|mantener|permanecer|quedar|estar siempre|ser siempre)|(?:estar|ser) siempre |no (?:debe|deben|debes|se debe|se puede|se permite)n? (?!ser (?:así|normal)|pasar|ocurrir)|hay que (?:siempre|evitar)',
    String.raw`prohibid[oa]s?|fuera de límites|sin (?:mi (?:permiso|aprobación|autorización)|pregunt\p{L}+|permiso|consult\p{L}+|avis\p{L}+)`,
  ],
  reports: [
    String.raw`no (?:funciona|entiendo|sé|veo|puedo|aparece|sale|hay)(?!\p{L})|(?:he|ha|han|hemos|fue|era|estaba|falló|cambié|dijo)(?!\p{L})`,
  ],
};

const portugueseVerb =
  '(?:use|usa|utilize|responda|responde|escreva|escreve|rode|execute|peça|pergunte|mantenha|deixe|formate|faça|siga|verifique|comente|documente|coloque|trabalhe|edite|altere|mexa|explique|fale|confirme|nomeie|crie|teste)';
const portugueseForbidden =
  '(?:use|utilize|mude|altere|mexa|toque|apague|remova|modifique|edite|faça|adicione|acrescente|escreva|crie|instale|envie|rode|execute|suba|exclua|delete|publique|traduza|invente|assuma|comente|coloque|inclua|renomeie|mova|commite|responda|deixe|importe|misture|refatore|repita|quebre)';

export const portuguese: Directives = {
  opening: [
    String.raw`(?:não|nunca|jamais) ${portugueseForbidden}(?!\p{L})`,
    String.raw`${portugueseVerb}(?!\p{L})(?: [^?]{0,60})?(?<!\p{L})(?:sempre|nunca|apenas|somente|só|exclusivamente|intact[oa]s?|como está|como estão)(?!\p{L})`,
    String.raw`(?:sempre|apenas|somente|só) ${portugueseVerb}(?!\p{L})`,
    `${portugueseVerb} [^?]{1,60} (?:em vez|ao invés) d`,
    'evite |prefiro |prefira |certifique-se|garanta que |procure ',
    String.raw`(?:pergunte|consulte|avise|me pergunte|me avise)(?:-me)?(?!\p{L})[^?]{0,40}(?:antes|primeiro)(?!\p{L})`,
    String.raw`(?:responda|escreva|fale)(?:-me)?(?!\p{L})[^?]{0,40}(?<!\p{L})em (?:português|inglês|\p{L}+ês|no máximo|uma|poucas)`,
    String.raw`(?:nada|nenhum)a? de |sem (?!(?:problema|dúvida|sucesso|resultado|sorte|mudança)\p{L}*)[^?,]{2,30}, por favor`,
    String.raw`(?:nenhuma?|nada|ninguém)(?!\p{L})[^?]{1,60}(?<!\p{L})(?:deve|pode|sem (?:minha|meu|a minha|perguntar|permissão|revisão))(?!\p{L})`,
    String.raw`(?:cada|tod[oa]s? [oa]s?)(?!\p{L})[^?]{1,60}(?<!\p{L})(?:deve|devem|precisa|precisam|tem que|têm que)(?!\p{L})`,
    String.raw`quero que (?:tudo|toda|todos|todas|cada|sempre)|não quero (?:que|nenhum|mais|nada|\p{L}+s(?!\p{L}))|odeio (?!isso|este|esta)`,
    String.raw`(?:antes|depois) de cada [^?]{1,40}, ?\p{L}`,
  ],
  within: [
    'a partir de (?:agora|hoje)|de agora em diante|daqui (?:em|para) (?:diante|frente)|em hipótese alguma|de jeito nenhum|em nenhuma circunstância|até segunda ordem',
    '(?:deve|devem) (?:sempre|nunca|apenas|continuar|permanecer|ficar|ser sempre)|não (?:deve|devem|pode|podem) (?:ser|ter|haver|mudar|usar)(?! (?:assim|normal))|ser sempre ',
    'proibid[oa]s?|sem (?:minha|meu|a minha|o meu|perguntar|permissão|autorização|me (?:perguntar|consultar|avisar))',
  ],
  reports: [
    String.raw`não (?:funciona|sei|entendo|vejo|consigo|aparece|há)(?!\p{L})|(?:foi|era|estava|falhou|mudei|disse|tinha)(?!\p{L})`,
  ],
};

const italianVerb =
  '(?:usa|rispondi|scrivi|fai|fa|lascia|mantieni|chiedi|esegui|metti|commenta|parla|tieni|segui|controlla|verifica|lavora|documenta|spiega|formatta|tocca|modifica|cambia|crea|usi|risponda|scriva|faccia|lasci|mantenga|chieda)';

export const italian: Directives = {
  opening: [
    String.raw`(?:non|mai) \p{L}+(?:[aei]re|[aei]r(?:mi|lo|la|li|le|ti|ci)|r(?:re|si))(?: mai)?(?!\p{L})`,
    String.raw`non (?:modifichi|tocchi|usi|cambi|elimini|aggiunga|cancelli|scriva|faccia|esegua)(?!\p{L})`,
    String.raw`${italianVerb}(?:mi)?(?!\p{L})(?: [^?]{0,60})?(?<!\p{L})(?:sempre|mai|solo|soltanto|esclusivamente|così com['’]è|così come sono|intatt[oaie]|in pace|stare)(?!\p{L})`,
    String.raw`(?:sempre|solo|soltanto) ${italianVerb}(?!\p{L})`,
    `${italianVerb} [^?]{1,60} (?:invece|al posto) d`,
    'evita |eviti |preferisco |preferisci |assicurati |dammi (?:sempre )?del ',
    String.raw`(?:chied|consult|avvis|avvert)(?:imi|ami|i|a)(?!\p{L})[^?]{0,40}(?:prima)(?!\p{L})`,
    String.raw`(?:rispond|scriv|parl)\p{L}*(?!\p{L})[^?]{0,40}(?<!\p{L})in (?:italiano|inglese|\p{L}+ese|una|poche|massimo)(?!\p{L})`,
    String.raw`niente (?!(?:di|da|paura|panico|più)(?!\p{L}))(?!.{0,60}(?<!\p{L})(?:è|appare|funziona|succede)(?!\p{L}))\p{L}`,
    String.raw`(?:nessun[oa]?|nulla|niente)(?!\p{L})[^?]{1,60}(?<!\p{L})(?:deve|può|va|vanno|senza (?:il|la|chieder|permesso|revisione))(?!\p{L})`,
    String.raw`(?:ogni|tutt[ie] (?:i|gli|le))(?!\p{L})[^?]{1,60}(?<!\p{L})(?:deve|devono|va|vanno)(?!\p{L})`,
    String.raw`voglio che (?:tutto|tutti|tutte|ogni|sempre)|non voglio (?!(?:dire|sapere)(?!\p{L}))|odio (?!questo|questa)`,
    String.raw`(?:prima|dopo) (?:di )?ogni [^?]{1,40}, ?\p{L}`,
  ],
  within: [
    "d[’']ora in (?:poi|avanti)|da (?:ora|adesso|oggi) in poi|in nessun caso|per nessun motivo|in futuro,|fino a nuovo ordine",
    'dev(?:e|ono) (?:sempre|mai|restare|rimanere|continuare|essere sempre)|(?:essere) sempre |non (?:deve|devono|devi|può|possono) (?:mai |essere |avere |usare |cambiare )',
    String.raw`vietat[oaie]|proibit[oaie]|senza (?:il (?:mio|nostro)|la mia|chieder\p{L}*|permesso|avvisar\p{L}*)`,
  ],
  reports: [
    String.raw`non (?:funziona|capisco|so|vedo|riesco|appare|c['’]è)(?!\p{L})|(?:ho|hai|ha|abbiamo|era|stava|fallito|cambiato|detto)(?!\p{L})`,
  ],
};
