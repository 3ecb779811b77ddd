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
      ']F6a]EI]F3]F0]C*:]DL]E3]E-+]DE]D4bA]AN]C@Z?N]D/]D4]E2]CS]EF]DQ]D1]CM]CU]C0]CNb]DF]C5]E8]E4]D>]CT]CH]EY]CA]E:]CM]E*]DB]DD]A36Y]D1b]CH]?@a]C+]D8]CMW]D)]DG]A95M]D*Ha]C17aP]DE]D(]C(AE]C)b]A[]C+a]C3]@U]A=]CGK]CMKD]C8KbJ]C;a]E1]C;]FD]C,]F-]E0]C-]D4>]CL)]AZ]C)]C@H5H]C.2a]D5b3La51a]C8d]C6]C;c;a]A?]CPa]C.a]C7b:Ta]C7]D=]AN]C6a]C(IaQ]C<bDXa<X]CZ]EH3]D=+]E:V]D9]CF]EE]C*]C:]C*]CQ]CR]AW]D6a]AMa]@Db]A)]D3a8Ja]AUd]C37c]C)a]CSa]C6a]CYb]CA]CZaS]C<a]C(b]C8a5;c]C+a]AO]CZ]CWKV]CK]C)]D9]D<]CW]DG]CR]C(A]CTG]CYaMa]AZb]A9Xa)b]A[d]C./cZb]C.a]C>bDYa0]CWa]C-b]ALa]C9]C1cIaP]C5]CAQF]C4]CZ]C?]CM]C,]CG]CIRa9aYb0]C,a]ATb0d]CA]C.c>a8]CF]C.F]CQ]C3]CM]C@]CX]CK]A1]AW]CH]C<]C4]C351]CZ]D)Z]C=]CS]CI]C-]CT]CU]CG:]C?]D6]D-]C*]CCG]D9',
    pairs:
      'G;=<Ia<@@=a==:?=J:@:aHb;LC@LdFdEaFc>e;FmFaH?d>a9bGbD>=6c@aDMwN:m@I:b<@a:=Fa=b@C;>dGC@Gm>=f<a=k>a?a=EaHCb??E?bCFIaKd>=IbE:dF?a>a:I>eGHiHb<@:<A;AaNHKa?<<F7==?a?==>aF=MaD>;Db>Ab<F:@cFa>aHl?GaFa>b>e>b>I<FeE@h=mDmJbJ?aD=HcEbHaCEaEcKb:JcEc:>d?:fGa>kCc>c@b9b@b@a7?Lb?aF=iGfEe>?<kD>98>8<b:F?A;9=a>;<U9aGa<IISgEc>aDKfCQlCcEfJhEzcIIlFKb@b7CaMHaEOEaKFFIcKq;gNGl>bC@c>@aAb=;b@C9bHAaG<b>S>c?e8gJL<k<>I@:c@bF;a?9bNh=Fm;IgJ<m:=Ca<EGaFb@CbH<?KcIa<<c/a?b9?b>a;a>GbI@NJi@b>??>a8AMaFa>D8==a:aC<A?bDI=iHIc>hGl>Kb=aH;@aG7NI9b=>=;cCaEi>cGa?gOFw>h=aLzo?a>a@a?bI?@a><b>DaGDb@@J>Ga>b?b=a?aIa<;fEmEF>a=a>;bJGIaCF>a;?CbF>HG<Ea@K=Db<C<a@a2=dJEHJlCEaH=aI;?aD?;a?:a>?GEL7L=Ia=HaF9@bF;C@a@a9@=cMaEO?l@@I;@DaANE;>9R@a7?=MFa==aAEJeIqHkEc:c?aGbF=eJcNyGK;k?c>b?@d>:Hb?dFc:oHv<aMc>dJe>f>i>lIn<LGMFaIK?aHaF><=cGJf6d<c=c=<hJm;bHAcFcIaNd><fLh<mGHlECDFHEbGaJaMe@FcIaDAaID>Fa>a@GEEKHbD>dEk@b>=@=?a;>bA@?<AAD>@a?A>a>?VD?aC@MaA:b;aK=HaJ@Ka>DcF9HMbF>VIbHD@FFGNaHH?I?aPbIaEEd:EC9e6Ec;b2a9>@9<IIaHaE=a=aPJd>aJnGfE7aIbIaN?gCt?aD=dDc>d@hD@@a:b9aD@<8>cFFdJrJbIeFd<>gL<d<>=a>:eGd?nGa?a==e>=e<b>dMa6a;Ca>dJc<aGdFfKzi<d8a=?9;:dJdFzf<bFdE?3a>;c?dRcIaJzrJ<b<cEaA@eIs?b@a=a<a=a>;a=;a5<9b:cHK9g:f;GItFa=uIG;aA@lCsHrDHfI1a@gAd>:dHzoF4oGsEa@>aDa?a<HGIDFDaFA@a>dF?gLd:cHb:lFg?u?@b=j9e@p9>?<?<@a<a=a=6?@b@?b;cIzkFaD>GFgHEFa@=?6a=cDD@h=e;a;zeFdH@Ci;aPgIc<cFVq=:c:q@D7n>a:zzl<zs=fHj=vItNA=oIvAaIJhLbDaHeDC:bFb@aGfIHd<n=JaF<aIbNFHH@.bIJeFHbKuEFlKbHEcTKHDa7IbEPLHJeSNv=<s;dFa>d9f?zzkKHg;Gp@Kzi;Fh=oI@EziFyLFNziDNzaRPc>zcFzbKIIbGzzgJOzfGEg<GuOzeFQgGEFaKh7jLGtPhD@FnIdIfGcEJFzbEDzfIT',
  },
  cl100k_base: {
    base: 'o200k_base',
    scale: 1,
    states:
      'FaTTN7R1Q<0]EZ]C[b2)4]HW]AO]A9]AX:C]AV]CX]C0]C0]C,XY]C9b=IDJ/XA7Q]C;]C,]C(]C=GT?]C>]D@b:]DSa]A1LEP]C0]C=-;]C9]D=:aZ]DIa:QAO3Y?b+*a]H*]AG<]CJL]CC]AC@aObF]C8aU7M]AWNG+?UMIZLH]C(3aS;a]C;b3]C=a3Aa]C(d]C)]C0c]DIa<*a<a>b]AV]ABa9]A[0IaY]A8aOMbC]C5a)]CI]C*@=L(]C5]C:IE]C5]C0]C1]C1]C.-<]AWa/aKb]A;]AZa]=FDa7dZ)c]DDaXa=a<b]A9+aX0a:b]C9aL-c]C3aX]C-UV]CG8]C7QI]C3]C9M0Z[@Sa1a8b]A:8a]C;b]AVdZ]ARc]D?b]ABaSb]@G]AZa]IE4aHbGaKVc]DUa]C/.RTLKYH?]C9J]C+9a]AWaSb]@F;a]FRb]C0dO]C6c]FRa:]C8VQ]C.Q]C17]CN]C)O]AYHQVOaC]C3]C+]C=]C)a]CB]C;]CD]CN]C18NVTWRE]C)',
    pairs:
      'Y<=c:d=a=c@@;a=d@zoAo<zq>c<e8:b@d?wLzt@=zj<a?@a<bGdCc?@@c<c>9zq@e<b:zzf:d9zt@cAc@bAg:zfKn@<;=bXG<><=9b><a;c9aFwOzd@zsFzzo@fAb?l>n<u?;a:>i<;zx@a@a?Pf?d=zeYi9b:b?a:b<a>b?>?a?a;b6zs<f=e?zzzzfAc?h=?c>@gCvQq@b<j@>d:bAlEt=i<Ae<b?Azw@f:<@c?>=gGzn>c>zzg>b7:e8zzp?zzf5l5zzzzv@?hAza=a>a?>b?b@a??<a>=AjDtVaD;dDPGDzaDAg<x5GzzzyCzzw<zzzzzzl>zzm@zp<rCGFg?zzbD?zzjAp;zzzzs?s[zr@zzzj;q5fGo@zzzzy?zzzzzzqAzzzzwTznScPj[gMzlOePdYmQzzk?zEMzi;yGAzzjKaFzzlHEzzjEHzzlIzfDh7vNzeDzfUzd?<zfCzzkJK',
  },
  claude: {
    base: 'o200k_base',
    scale: 1.155,
    states:
      'Qb=H]AT8L]AW]C)*]E)CbK]C1]CE];/]DY]DZ]@W4]CNa]CW]C.aQEU]D-b1ETJaD3VDPHPZL>V]CE]DLb]E4]FTa]I.]@9]AQ]C93]CQ]AW;+]C:4aS]DPbI@R]ASM]AQb]CF]C2a]<I]D=]EH94]C@EQ9cG]CSa]C7M<4Q13CEA,9@7;I=X]C2a]D)b]DQOa]GY*a]D)dSNc]DJa7Na]AWa-bT]A(a]DU]CW]CM*aVEaLTbC]CIa3KL]C*>]C81U@D>S]C0DQFH7bZa]C5b=]ARa]N<:a]C2dV/c]DAaJa]AWa>b]C:]A?a]C[]CFdZa]C(]AWc]C@a]ATAJ2UZN]C)DZMFAaG<IaFa]C9b>Fa]D0b6dR]ASc]DIb]@WaCb]?*Ja]=J]D<aCbKaR]C.c]GIa;@@MFM]C2<(@aL=a]CZaZb]@:(a]AQb7dD]C0c]HJaGG]C)VWV:]ATZ=U35AFPACV]C2PIJGECJH6GN>R?DI',
    pairs:
      'b@c@a@a>Aa@a@cAa@zza=zzAiAcAzwDzzm@a@fAaAeAt>zk@kAzx=zx@cAc@b?zlGaFm@gAAa@Af@c?bLzzaCzzzziAfAl@fIj@uAcAvAzmCbCGfAlCzj>e?dA?aAcAAzrAmAzzzzi@a@?hEnAzl@aAb@f@dAj9zkAcAeAdAdAbAl@iAx@a@cAhDzs@zzk<zzzzzp?zzzz=vAe>b@c@t>bCaDCDEaDDaCDDEcCDDCiEcEDd>dFc@c56;c=7DDa>b>b=a>b<c?b=h>a>e>DhEaGeRaTd[zfCzzze:zzzzw@zzzzzzzz=wC?DgAzzbADzzjAp=zuCzl;wDlAs(zrAzzzzb?zzk@zzzjAzzzzzzqDzzb@hDKzw?d@gAzw<zzIeKdJmLzzk>:xDDLzi@yFFzzjOaCzzlCEcFzzgGzzlDzfF6zdJzd.C8g6a(uSJzd?zaJcJzdH<zfGE',
  },
  'claude-4.7': { base: 'claude', scale: 1.25, states: '', pairs: '' },
};
