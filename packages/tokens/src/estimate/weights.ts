import type { Encoding } from '../encoding.ts';

/** Fitted weights of one encoding, packed (see `text-model.ts`). */
export interface Weights {
  /** The encoding whose weights, times `scale`, are added to these. */
  readonly base?: Encoding | undefined;
  readonly scale: number;
  readonly states: string;
  readonly pairs: string;
}

export const weights: Readonly<Record<Encoding, Weights>> = {
  o200k_base: {
    scale: 1,
    states:
      ']DFa]D3]DI]DJF<]CA]CX]C,7]CO]C.c-]C(TFD]C0]CA]C[]CE]C[]C7]C(]C3]C3]C/]C0b]C8Z]D)]CX]C3]C7]C(]D@]C*]D2]C>]D7]CD]CS=<R]C@b]C*]@[aP]CCaJO]CJ]C-XCa]C-b4OaX]AJ]AV]C8M]C24]AWV]C,bK4a]CRY]DEQ]D>]CTU]C9?]C44<NHF?@@:a]CEb:Da=bY]AX]C:LSaIb<MaT]CBaWb]@Ua]C3Ze8L]C4]D;@]C==]D+H]C>]C+]D.N]C*T]CCY1]CCP.a]A=b]AQ]C;a;b/]C0QWa]C>b]C(]C8aHXaL1]C:]C(KJ]C2Y]C>]CB]C/]C7]C1FF]C9C]C/NHa*b]AXNa6b+EQaRbDOa9]C/aQEXPIDQ]C4]C)]C2Z]C-]C1N?>aFb:Ra1b2F]C2S>]C3X]C8]C-]C<]C/]AR3[]C/Q[<:]C/[PU]C8]C?Q]C9]C6]C+>]C+]C;]C2M]C.a]CB',
    pairs:
      'G;<<b=d<=9a:a8=:aFb;IE?Kzm?f;bJe6ze6o9b;b:=b;d8;f<o;f9a:k=c<i=k<;n7u<a<=?8bNaOa?<b6<<@c:=aF;JaGa:c<e6u>g@e=b<bGeE=zn:cGoOb8o7x=f7g3g=v;a7l<87<59b9a>>96;a;9;W9c8aGRnOgSzzxGc?b8bPcQbRbKu8gPm=c?c>=a@b:e8f;cQj6gKQ9k<;b9g9a?9bGh:zl9>b<FHi;>IcKa=:c/d;g?eOIm==<a5b=b?C7;;a:b9f;jKy?c>b;c8Pa8b=a<>zcQzg=zq@c@h;;b=bIeJ=lJa98tDa>a;b:bIHf<?g;cJd<a;c3@x:b;@e>8a<?Ib6a<b<bIe?e7a>eHU9l>aF8f9>;V=a9>:gEzjGc8sSyNm<c:c>e;iJb7znQzzg=eLg;:cIg5zxPlLzmFFEfPm??JGe?GDELJt=b?>a>?a?=Ec??bI?@C?D@a?aWDb?aLb6b7aK<bI<b>e9aSbHANHn;aNbIg8aD8e6Ec;b0a5b9;cHbEcNFzc9aIzzl:b:c;8eGdKzoMi9/zyIc:b<zzf<d7c5:9zxGa2kTcMztM<oLz9g;a5:8fEM8g9f8ztJJ=zzjJ1a<m7zu4zzGhD=l:zx?m:v9l7d?zuIo=a8v<zgIe@Ei:aTk<dYq9zo:zzzze<zzk?zyObDgHa7oLd>za=,bKMzsLgYd4dROgSx=s;dCf8fCzzkKKxDzk=yK@IziKyHaNziIRzaPPc4zzfOGcGzzhJzfEh7vQzeFOzeLJzcE?IsJf<dZGzbDzgHR',
  },
  cl100k_base: {
    base: 'o200k_base',
    scale: 1,
    states:
      'Gc1]C/b]D2n]DTa]D,a]DVf]D9d>aEH8b]C6]@So]@QxPaMbNaEb(aL]ARa,zhKe/E4c]AZf]C*]C*zeI>b3f8aA]C7ziAaP8MoZdZaX9eGc]CAaYc]C6iM',
    pairs:
      'm>e>zzzzzzzq4zzk<zzzzzzzzzg<:zzo<zzzzzzzzzzzzb;c<d7d=zzh0zzzzc>zzzh?l0zk:l;zzzzzzzzzzzt+l1zzzzvDi2x(b*7)1+(b)b.00+/a**.*a,c(x[d(c[(zcJu.j(zzzzzzzzzzzzzzzy3zziQ5zzzzw;zzzzzzzzzzzh5zzzzzzzzzzzzzf<zzbOzztUzzzzzzzzzzzzzzzzzzzzzzzzo([zeRzd8zgD',
  },
  claude: {
    base: 'o200k_base',
    scale: 1.158,
    states:
      ']E+a3a7a]@?a]A4m]?C]==a]EWa]A,f]FE-bQ]ANc]=P]>X]?8=]>Szn]>Q]C1e]C3d]C8b]EKzn1]A@l[b]?Mzb]D+]AUk2a]CIzb]C@h]AN+]AWv]AP]@YdYeSg]C)',
    pairs: '',
  },
  'claude-4.7': { base: 'claude', scale: 1.25, states: '', pairs: '' },
};
