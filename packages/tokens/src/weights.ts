import type { Encoding } from './encoding.ts';

/** Fitted weights of one encoding, packed (see `text-model.ts`). */
export interface Weights {
  /** The encoding whose weights, times `scale`, these are added to; none for weights that stand alone. */
  readonly base?: Encoding | undefined;
  readonly scale: number;
  readonly states: string;
  readonly pairs: string;
}

export const weights: Readonly<Record<Encoding, Weights>> = {
  o200k_base: {
    scale: 1,
    states:
      ']D>a]D.]DA]DBJ;]CE]D)]C-8]CN]C/bA-[SEE]C/]CI]D*]CC]CO]C8]CJ]C2]C3]C.]C/b]C:Y]D+]CW]C9]C6]C/]D<V]D-]C8]D.]CG]CJ=<P]C?b]C-]A*aR]CBaHM]CH]C5XCa]C-b2RaW]AJ]AV]C4M]C1=(YVbM5a]CVZ]DEP]D:]CTL]C:?]C.7>MMF<D@;a]CFb7Ea=bW]AZ]C-LRaIb<JaV]CAaVb]@Ua]C4]C*e:N]C6]D7?]C;7]D,K]C=]C,]C[PXU]CBR3]CDP.a]A<b]AT]C:a=b0]C0QVa]C=b]C)]C5aJYaK*]C6]C-FJ]C1V]C;]CC]C,]C8]C/GF]C5C]C/MIa*b]AUNa6b,EQaRbDNa9]C2aRIYQHDS]C3]C,]C-Y]C*]C/I@>aFb;Ra1b2E]C1R<]C4W]C4[]C9]C/]AU4]C*]C.RZ<9]C-ZUU]C5]C=R]C7]C9]C(C]C+]C9]C,N]C-a]C@',
    pairs:
      'H;=;b==?<a<=9a:a8=:aGb;JE@LziDc@f:bJe7fGx7m>a:b<b9=b;d8=dGa=In<f:a:k>c=i>k><Ic8dHd7It=a=<?9bMaNa?=aD6=<@b<;=aF<KaGa9c;?b>a7?t>g?e=b<bHeE?zjGc;cFkFcLb9h<e;7tCc=cAb9g5g>v;a7kC<87>6:b9E@?:6<a=:;V;aHa:aHSnNgQzfKzqGc?b8bOGbPbQFaKu:gNm=c?c=?a@b;e:f<cNj7gJN8k=:b9c@c;a>:bGh;KvN9m9=b;GIaEg;>HcIa=;c/d:c?a<a>eOIm>?<a5aO>b?D8:;a;aC:a?d<jKy?c=b:c8Oa7b<a==zcPzg=zq@b@@a=f;:b<bIaGa?aK>Gg=a>aIa98fDmEa?a<b;bJHf=@eGa<EbI<c<a<a@a4?h:o;b;?c;a>9a<?HaO7K<Ia<FaI6=c=e8a>eGR:l=aE8dNa9>;U>a9>;Me@FzjGc8i?iQyMm=c;c>e:iJb;znNn?zr>KdLg;<cHg7vOm>mPlKh9mImCDCGGEfQjIb@@JGe?FDFHKt>b?=A>?a><D?b??ACI?@C?D@a>aWDdLb9b8aL>IEL@b>Dd9aPbG@MHaFcEaKKe;aNbHg9CD8e6Dc=b3a6b:;cHbHcOHzbE9aIzw>n9b8c;8eFdIrIbJsLe>c=3zyIc<b=zzf>d8c7:;dIdGznFa3a=iTcMztM=h?fLz;g;a5;9fHM:g9f7ztJI<zzjJ2a?m8ztI5oGu=<mEhF=l:cEzt>m:v9a@<a:b>d6d>gIzmGo=a7eHa?n;a=zeHe@Ei:aRk<cKUq:x;n>a:zzl=zr>zzk@zpKhPbEgGD:oJd=r>dOaFa?,bJIzsLgXaLb6dPMgSNw>s;dEf:fEzzkKLxDzk=yKAIziLyHaMziHzbMMc8zzfMFcHzzhJzfFHg:vQzeFQgDl7jLGzcDaFnKdGfEcEZFzbDzgHR',
  },
  cl100k_base: {
    base: 'o200k_base',
    scale: 1,
    states:
      ']C7a]C7]D(Pa]ADd]E0]CZc]D(]D5a]CL]CNa]E6]A++a]CAg]D)7b]ASa]A:aK]@J]@H]A?a]A-c]AEb]C0]C9o]D/b]CEm]@B]A[]C5a<c]A?c0]AQ8RgW]DHa]CQb]CAqDa]C+]C-fGb]A/e]C>c]D8]CMfXb]C-b]A:q]CNNk]ASi]C8b]D+l]HLd<k]H[]E-aUb]C8b]F6l]AVe]ANe]C8c]CNc]CJ',
    pairs: '',
  },
  claude: {
    base: 'o200k_base',
    scale: 1.154,
    states:
      'Sa?a=V]AYaNb]DZd]DD]D7]?>]E5]E9d]C>[8f]CMgF]A.]A,]AG]AZ]A=]D<b]AQb]CSYa]F/b.i]EY]DDa]@3]DR]DBf]AYe]ABfNdKbVa]D:e]CS]C8a]EFbRqEaUSf7l]C(gVb]C2]CDa]HYb]CUza4c]D7b]C3b]C1b]CQc]F6bGe]AVdJh7b]G:]EBaZbNb]CDl,eJ',
    pairs: '',
  },
  'claude-4.7': { base: 'claude', scale: 1.25, states: '', pairs: '' },
};
